import styles from './refusals.module.css';

/** What the API refused and no field says. */
export function Refusals({ of }: { of: readonly string[] }) {
  return of.map((refusal) => (
    <p key={refusal} role="alert" className={styles.refusal}>
      {refusal}
    </p>
  ));
}
