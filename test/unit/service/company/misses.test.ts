import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { answerMisses, impersonal, weekOf } from '../../../../src/service/company/misses';

describe('questions without an answer', () => {
  for (const [day, week] of [
    ['2026-11-26', '2026-W48'],
    ['2021-01-03', '2020-W53'],
    ['2024-12-30', '2025-W01'],
    ['2027-01-01', '2026-W53'],
  ] as const) {
    it(`of ${day} belong to ${week}`, () => {
      assert.equal(weekOf(Date.parse(`${day}T12:00:00Z`)), week);
    });
  }

  it('keep their words and lose what could tell who has asked', async () => {
    assert.equal(await impersonal('How do I set a webhook?'), 'How do I set a webhook?');
    const told = await impersonal(
      'Why does ada@example.com at +49 170 1234567 get 401 from https://ada.example.com/x with ghp_16C7e42F292c6912E7710c838347Ae178B4a in /home/ada/x.ts?',
    );
    for (const personal of ['ada', '1234567', 'ghp_', 'https:'])
      assert.ok(!told.includes(personal));
    assert.match(told, /^Why does \[address\] at \[number\] get 401 from \[link\]/);
  });

  it('have at most 300 characters', async () => {
    assert.equal((await impersonal('why '.repeat(5000))).length, 300);
  });

  it('are on a page whose policy allows its style', async () => {
    const records = { add: () => Promise.resolve(), list: () => Promise.resolve([]) };
    const app = new Hono().get('/', (c) => answerMisses(c, records));
    const response = await app.request('/', { headers: { accept: 'text/html' } });
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await response.text()) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.ok(policy.includes(`style-src 'sha256-${hash}'`), policy);
  });
});
