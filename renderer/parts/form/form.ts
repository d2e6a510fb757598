import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '#renderer/api/problem.ts';
import { formText } from '#renderer/messages/editor.ts';
import { toast } from '#renderer/parts/toast.tsx';
import type { Problem } from '#shared/api/problems.ts';
import { dropDraft, readDraft, writeDraft } from './draft.ts';
import { isSame, type Members, memberAt, withMember } from './members.ts';

/** A form as its fields see it. Fields go by the dotted paths of the members that they fill in. */
export interface Form {
  /** What is typed so far: the body that is sent. */
  body: Members;
  get(path: string): unknown;
  set(path: string, value: unknown): void;
  /** Changes several members at once. */
  change(update: (body: Members) => Members): void;
  /** What is wrong with a member: the API's words where it refused it, else those of its schema. */
  error(path: string): string | undefined;
  /** Whether something is wrong at one of these paths, or below it. */
  hasErrors(paths: readonly string[]): boolean;
  /** Somebody left a field: from now on it says what is wrong with it. */
  touch(path: string): void;
  /** Has the fields say what the API refused, and leads to the first one. */
  refuse(problem: unknown): void;
}

interface FormOptions {
  /** The name of its draft. */
  name: string;
  /** What it begins with where there is no draft: it is changed against this. */
  base: Members;
  /** What is wrong with a body as far as it can be known here. It is never in the way: the API decides. */
  hints(body: Members): readonly Problem[];
}

/** A form as its frame sees it. */
export interface FormState extends Form {
  /** What it began with. */
  base: Members;
  isChanged: boolean;
  /** Whether it began with what was typed before and not saved. */
  isResumed: boolean;
  isSending: boolean;
  /** What was refused, and has no field that says it. */
  refusals: readonly string[];
  /** Goes on the element around its fields: the first one that is wrong gets the focus. */
  ref: React.RefObject<HTMLFormElement | null>;
  /** Sends it. Where that is refused, the fields say why; else there is no draft any more. */
  submit(send: (body: Members) => Promise<void>): Promise<void>;
  /** Takes back all that was typed. */
  discard(): void;
}

interface Typed {
  base: Members;
  body: Members;
}

/** Holds a form: what is typed, what is wrong with it, and its draft. */
export function useForm({ name, base, hints }: FormOptions): FormState {
  const [resumed] = useState(() => readDraft<Typed>(name));
  const [typed, setTyped] = useState<Typed>(resumed ?? { base, body: base });
  const [isResumed, setResumed] = useState(resumed !== undefined);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isSending, setSending] = useState(false);
  const isChanged = !isSame(typed.base, typed.body);
  const isDone = useDraft(name, typed, isChanged);
  const { ref, refusals, show } = useRefusals(refused);
  const hinted = touched.size === 0 ? [] : hints(typed.body);
  const change = (update: (body: Members) => Members) =>
    setTyped((before) => ({ ...before, body: update(before.body) }));
  const refuse = (problem: unknown) => {
    setRefused(messagesOf(problem));
    show();
  };
  const error = (path: string) =>
    refused[path] ??
    (touched.has(path) ? hinted.find((problem) => problem.path === path)?.message : undefined);
  return {
    ...typed,
    ...{ isChanged, isResumed, isSending, ref, refusals, change, error, refuse },
    get: (path) => memberAt(typed.body, path),
    set(path, value) {
      change((body) => withMember(body, path, value));
      setRefused((before) => without(before, path));
    },
    hasErrors: (paths) =>
      [...Object.keys(refused), ...touched].some(
        (path) => paths.some((start) => isWithin(path, start)) && error(path) !== undefined,
      ),
    touch: (path) => whenReleased(() => setTouched((before) => new Set(before).add(path))),
    async submit(send) {
      setSending(true);
      setRefused({});
      try {
        await send(typed.body);
        isDone.current = true;
        dropDraft(name);
      } catch (problem) {
        refuse(problem);
      } finally {
        setSending(false);
      }
    },
    discard() {
      dropDraft(name);
      setTyped({ base, body: base });
      setResumed(false);
      setRefused({});
      setTouched(new Set());
    },
  };
}

/**
 * Does something once no button of the mouse is down: what appears while somebody clicks would push away what they
 * click at.
 */
function whenReleased(act: () => void): void {
  if (!isPressed) act();
  else addEventListener('pointerup', () => setTimeout(act), { once: true, capture: true });
}

let isPressed = false;
for (const [type, isDown] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const) {
  const note = () => {
    isPressed = isDown;
  };
  addEventListener(type, note, { capture: true, passive: true });
}

/** Keeps what is typed, and says so where somebody leaves. */
function useDraft(name: string, typed: Typed, isChanged: boolean) {
  const isDone = useRef(false);
  const isKept = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isKept.current = isChanged;
    if (isChanged) writeDraft(name, typed);
    else dropDraft(name);
  }, [name, typed, isChanged]);
  useEffect(
    () => () => {
      if (isKept.current && !isDone.current) toast(formText.draftKept);
    },
    [],
  );
  return isDone;
}

/** Leads to the first field that is wrong, and finds what no field says. */
function useRefusals(refused: Readonly<Record<string, string>>) {
  const ref = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(0);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  useEffect(() => {
    if (shown > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [shown]);
  useEffect(() => {
    const isPlaced = (path: string) =>
      ref.current?.querySelector(`[data-path="${CSS.escape(path)}"]`) != null;
    const unplaced = Object.entries(refused).filter(([path]) => !isPlaced(path));
    setRefusals(unplaced.map(([path, message]) => (path === '' ? message : `${path}: ${message}`)));
  }, [refused]);
  return { ref, refusals, show: () => setShown((count) => count + 1) };
}

/** What the API says of each member; of the whole body under the empty path. */
function messagesOf(problem: unknown): Record<string, string> {
  if (!(problem instanceof ApiProblem)) throw problem;
  const said = problem.fields.map((path) => [path, problem.fieldMessage(path) ?? problem.message]);
  return said.length === 0 ? { '': problem.message } : Object.fromEntries(said);
}

function without(refused: Readonly<Record<string, string>>, path: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(refused).filter(([one]) => !isWithin(one, path) && !isWithin(path, one)),
  );
}

function isWithin(path: string, start: string): boolean {
  return path === start || path.startsWith(`${start}.`);
}

const FormContext = createContext<Form | null>(null);

/** Makes a form known to the fields in it. */
export const FormProvider = FormContext.Provider;

/** The form around a field. */
export function useFormAround(): Form {
  const form = useContext(FormContext);
  if (form === null) throw new Error('There is no form around this field.');
  return form;
}
