import { expect, test } from 'vitest';
import { type ScriptKind, wordsAt } from '../../renderer/parts/script-words.ts';

const world = {
  variables: [
    { key: 'API_TOKEN', detail: 'of the account' },
    { key: 'not a name', detail: 'of the account' },
  ],
  snippets: ['sign'],
  runtimeId: '2024.02',
};

const labels = (before: string, kind: ScriptKind, isAsked = false) =>
  wordsAt(before, { ...world, kind }, isAsked).map(({ label }) => label);

test.each<[string, ScriptKind, string]>([
  ['request.', 'setup', 'queryParameters'],
  ['request.he', 'setup', 'headers'],
  ['if (response.', 'teardown', 'statusCode'],
  ['fetch(process.env.', 'setup', 'API_TOKEN'],
  ['process.env.', 'browser', 'API_TOKEN'],
  ["const chai = require('", 'setup', 'chai'],
  ["require('node", 'setup', 'crypto'],
  ["const sign = require('./sn", 'setup', './snippets/sign.js'],
  ["import { expect, test } from '", 'browser', '@playwright/test'],
  ['await page.', 'browser', 'goto'],
  ["await page.getByRole('button').", 'browser', 'click'],
  ["await expect(page.getByRole('heading')).", 'browser', 'toHaveText'],
  ["await expect(page.getByText('a')).not.", 'browser', 'toBeVisible'],
  ['const answer = await request.', 'multistep', 'post'],
  ['expect(answer.', 'multistep', 'status'],
  ['test.', 'multistep', 'step'],
  ['  re', 'setup', 'request'],
  ['te', 'browser', 'test'],
])('after %j a %s script is offered %s', (before, kind, label) => {
  expect(labels(before, kind)).toContain(label);
});

test.each<[string, ScriptKind, string]>([
  ['response.', 'setup', 'statusCode'],
  ['page.', 'multistep', 'goto'],
  ['request.', 'browser', 'headers'],
  ["require('", 'setup', '@playwright/test'],
  ['process.env.', 'setup', 'not a name'],
])('after %j a %s script is not offered %s', (before, kind, label) => {
  expect(labels(before, kind)).not.toContain(label);
});

test('nothing is offered after a space or a bracket until somebody asks', () => {
  expect(labels('  ', 'setup')).toEqual([]);
  expect(labels('fetch(', 'setup')).toEqual([]);
  expect(labels('fetch(', 'setup', true)).toContain('request');
});

test('the libraries are those of the runtime', () => {
  const uuid = (runtimeId: string) =>
    wordsAt("require('", { ...world, kind: 'setup', runtimeId }, false).find(
      ({ label }) => label === 'uuid',
    )?.detail;
  expect(uuid('2024.09')).toBe('10.0.0');
  expect(uuid('2025.04')).toBe('11.1.0');
});
