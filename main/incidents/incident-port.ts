import type { StoredIncident } from '#shared/incidents/incident.ts';

/**
 * The incidents that automation looks after, as people's changes see them. Automation changes them at any
 * time, with the results of their checks, so whoever changes one reads and hands it back within one turn.
 */
export interface AutomatedIncidents {
  /**
   * The newest version of an incident that automation looks after, or of one whose last change by it is
   * not written yet; undefined of any other, whose newest version is in the history.
   */
  find(incidentId: string): StoredIncident | undefined;
  /**
   * Takes over what a person made of one, before it is written; automation lets go of it where its
   * `automation` is null. Returns how to take that back where the write fails.
   */
  change(incident: StoredIncident): () => void;
}
