import { Button } from './button.tsx';
import styles from './news.module.css';

interface NewsProps {
  /** What waits: `3 new`. */
  said: string;
  /** On the button that shows it. */
  action: string;
  onShow(): void;
}

/** What came while somebody looks at a list, which does not jump: it is shown once they ask for it. */
export function News({ said, action, onShow }: NewsProps) {
  return (
    <p className={styles.news} role="status">
      {said}
      <Button onClick={onShow}>{action}</Button>
    </p>
  );
}
