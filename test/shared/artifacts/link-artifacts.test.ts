import { expect, test } from 'vitest';
import { linkArtifacts } from '#shared/artifacts/link-artifacts.ts';

const links = {
  urlOf: (name: string) => (name.startsWith('gone') ? null : `https://w.test/${name}`),
  viewerUrlOf: (name: string) => (name.startsWith('gone') ? null : `https://w.test/see/${name}`),
};

test('a detail has URLs for names, and nothing of artifacts that are gone', () => {
  const detail = {
    type: 'PLAYWRIGHT',
    jobAssets: ['a.png', 'gone.png'],
    playwrightTestVideos: ['v.webm'],
    playwrightTestTraces: ['t.zip', 'gone.zip'],
    playwrightTestJsonReportFile: 'report.json',
    playwrightTraceFiles: [
      { url: 't.zip', name: 'one', filename: 't.zip' },
      { url: 'gone.zip', name: 'two', filename: 'gone.zip' },
    ],
    pcapDataUrl: 'gone.pcap',
    errors: ['a.png'],
  };
  expect(linkArtifacts(detail, links)).toEqual({
    type: 'PLAYWRIGHT',
    jobAssets: ['https://w.test/a.png'],
    playwrightTestVideos: ['https://w.test/v.webm'],
    playwrightTestTraces: ['https://w.test/t.zip'],
    traceViewerUrls: ['https://w.test/see/t.zip'],
    playwrightTestJsonReportFile: 'https://w.test/report.json',
    playwrightTraceFiles: [{ url: 'https://w.test/t.zip', name: 'one', filename: 't.zip' }],
    pcapDataUrl: null,
    errors: ['a.png'],
  });
});

test('what is none of these stays as it is', () => {
  const detail = { jobAssets: null, playwrightTestTraces: 'a', playwrightTestJsonReportFile: null };
  expect(linkArtifacts(detail, links)).toEqual(detail);
  const odd = { jobAssets: ['a.png', 7, null], playwrightTraceFiles: [null, 'a', {}] };
  expect(linkArtifacts(odd, links)).toEqual({
    jobAssets: ['https://w.test/a.png'],
    playwrightTraceFiles: [],
  });
});
