import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { Check } from '#shared/checks/check.ts';
import { groupOf } from '#shared/groups/merge-group.ts';
import { CHECK_GAUGES } from '#shared/prometheus/check-gauges.ts';
import { checkLabels, type Labels } from '#shared/prometheus/check-labels.ts';
import {
  type FamilyType,
  familyHead,
  labelText,
  sampleLine,
} from '#shared/prometheus/exposition.ts';
import { HISTOGRAMS, RUN_STATUSES, type RunTally } from '#shared/prometheus/run-tally.ts';
import { CheckTallies, NOWHERE } from './check-tallies.ts';
import type { ServiceParts } from './resource.ts';

interface Parts extends ServiceParts {
  monitor: Pick<Monitor, 'statusOf' | 'listen'>;
}

export interface CheckMetricsOptions {
  /** Whether tags `key:value` are labels of their own. */
  parsesTags: boolean;
  /** Whether each location has series of its own. */
  byLocation: boolean;
  /** Whether ATTEMPT results count too. */
  countsAttempts: boolean;
}

/** A metric with its samples of one check: none is an empty text. */
interface Family {
  name: string;
  type: FamilyType;
  help: string;
  linesOf(check: Check, labels: string): string;
}

/** A check's gauge with all of its labels. */
export interface CheckGaugeSample {
  name: string;
  help: string;
  labels: Labels;
  value: number;
}

const RESULTS = 'checkly_check_result_total';
const PACKET_LOSS = 'checkly_icmp_monitor_packet_loss_ratio';

/** The metrics of single checks, for Prometheus and others. */
export class CheckMetrics {
  readonly #parts: Parts;
  readonly #tallies: CheckTallies;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tallies = new CheckTallies(parts);
  }

  /** What is known of each check without counting results. */
  *gauges(): Generator<CheckGaugeSample> {
    for (const check of this.#checks) {
      const own = this.#labelsOf(check, true);
      for (const { name, help, samplesOf } of CHECK_GAUGES) {
        for (const { labels, value } of samplesOf(this.#subject(check))) {
          yield { name, help, labels: { ...own, ...labels }, value };
        }
      }
    }
  }

  /**
   * The text format in pieces, each of at most one metric of one check and made as it is asked for.
   * Results are counted from the first call on.
   */
  *text(options: CheckMetricsOptions): Generator<string> {
    this.#tallies.open();
    const labels = new Map<Check, string>();
    const checks = this.#checks;
    for (const { name, type, help, linesOf } of this.#families(options)) {
      let head = familyHead(name, type, help);
      for (const check of checks) {
        const own = labels.get(check) ?? labelText(this.#labelsOf(check, options.parsesTags));
        labels.set(check, own);
        const lines = linesOf(check, own);
        yield lines === '' ? '' : head + lines;
        if (lines !== '') head = '';
      }
    }
  }

  get #checks(): readonly Check[] {
    return this.#parts.configuration.checks.all();
  }

  #subject(check: Check) {
    const { monitor, clock } = this.#parts;
    return { check, status: monitor.statusOf(check.id), now: clock.now() };
  }

  #labelsOf(check: Check, parsesTags: boolean): Labels {
    return checkLabels(check, groupOf(check, this.#parts.configuration.groups), parsesTags);
  }

  #families(options: CheckMetricsOptions): Family[] {
    const tallied =
      (linesOf: (tally: RunTally, labels: string) => string): Family['linesOf'] =>
      (check, labels) =>
        this.#tallied(check, labels, options, linesOf);
    const losses = tallied(({ packetLoss }, labels) =>
      packetLoss === null ? '' : sampleLine(PACKET_LOSS, labels, packetLoss),
    );
    return [
      ...CHECK_GAUGES.map((gauge) => this.#gaugeFamily(gauge)),
      { name: RESULTS, type: 'counter', help: RESULTS_HELP, linesOf: tallied(resultLines) },
      { name: PACKET_LOSS, type: 'gauge', help: LOSS_HELP, linesOf: losses },
      ...Object.entries(HISTOGRAMS).flatMap(([type, histograms]) =>
        histograms.map((histogram): Family => {
          const { name, help } = histogram;
          const lines = tallied((tally, labels) => tally.linesOf(histogram, labels));
          const linesOf: Family['linesOf'] = (check, labels) =>
            check.checkType === type ? lines(check, labels) : '';
          return { name, type: 'histogram', help, linesOf };
        }),
      ),
    ];
  }

  #gaugeFamily({ name, help, samplesOf }: (typeof CHECK_GAUGES)[number]): Family {
    const linesOf: Family['linesOf'] = (check, labels) =>
      samplesOf(this.#subject(check))
        .map(({ labels: more, value }) => sampleLine(name, withLabels(labels, more), value))
        .join('');
    return { name, type: 'gauge', help, linesOf };
  }

  #tallied(
    check: Check,
    labels: string,
    { byLocation, countsAttempts }: CheckMetricsOptions,
    linesOf: (tally: RunTally, labels: string) => string,
  ): string {
    if (!byLocation) return linesOf(this.#tallies.of(check, countsAttempts), labels);
    const places = this.#tallies.byPlace(check, countsAttempts);
    return places
      .map(([location, tally]) => {
        const place: Labels = location === NOWHERE ? {} : { location };
        return linesOf(tally, withLabels(labels, place));
      })
      .join('');
  }
}

const RESULTS_HELP =
  'Results of a check by status, since somebody first asked after the start of the appliance.';
const LOSS_HELP =
  'The part of the pings that was lost in the last run; of several locations the greatest.';

function resultLines({ counts }: RunTally, labels: string): string {
  return RUN_STATUSES.map((status) =>
    sampleLine(RESULTS, withLabels(labels, { status }), counts[status]),
  ).join('');
}

function withLabels(labels: string, more: Labels): string {
  const text = labelText(more);
  return text === '' ? labels : `${labels},${text}`;
}
