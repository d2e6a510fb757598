/** Ways for a job to report in, by where it runs. */
export const SNIPPET_KINDS = [
  'curl',
  'cron',
  'systemd',
  'actions',
  'kubernetes',
  'python',
  'powershell',
] as const;
export type SnippetKind = (typeof SNIPPET_KINDS)[number];

/** Tries again where the network is away for a moment, and never holds the job up for long. */
const CURL = 'curl -fsS -m 10 --retry 5 -o /dev/null';

/** What to add at the end of a job. @param url the address that pings go to; it holds no quotes or spaces */
export function heartbeatSnippet(kind: SnippetKind, url: string): string {
  return SNIPPETS[kind](url);
}

const SNIPPETS: Readonly<Record<SnippetKind, (url: string) => string>> = {
  curl: (url) => `${CURL} ${url}`,
  cron: (url) => `0 3 * * * /usr/local/bin/backup.sh && ${CURL} ${url}`,
  systemd: (url) => `[Service]
Type=oneshot
ExecStart=/usr/local/bin/backup.sh
ExecStartPost=${CURL.replace('curl', '/usr/bin/curl')} ${url}`,
  actions: (url) => `- name: Report in
  if: success()
  run: ${CURL} ${url}`,
  kubernetes: (url) => `apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          initContainers:
            - name: backup
              image: backup:latest
          containers:
            - name: report-in
              image: curlimages/curl
              args: ["-fsS", "-m", "10", "--retry", "5", "${url}"]`,
  python: (url) => `import urllib.request

urllib.request.urlopen("${url}", timeout=10)`,
  powershell: (url) => `Invoke-RestMethod -Uri ${url} -TimeoutSec 10 | Out-Null`,
};
