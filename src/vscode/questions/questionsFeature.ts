/** Builds docs questions: the Test Explorer, the editing of their files, and their commands. */
import * as vscode from 'vscode';
import type { Conversation } from '../../chat/conversation/conversation';
import {
  QUESTION_TESTS,
  questionCommands,
  type QuestionCommandId,
} from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { RunHistory } from '../../questions/runHistory';
import { setNumberLanguage } from '../../shared/units';
import { translate } from '../notifications';
import { addDocsQuestion } from './addDocsQuestion';
import { completeQuestions } from './completeQuestions';
import { QuestionFiles } from './questionFiles';
import { type QuestionProfilePorts, QuestionProfiles } from './questionProfiles';

/** Services that the composition root gives to docs questions. */
interface QuestionsFeaturePorts extends Omit<
  QuestionProfilePorts,
  'controller' | 'files' | 'history' | 'extensionUri'
> {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'workspaceState'>;
  /** Loads the conversation, whose last reply can be added. */
  readonly conversation: () => Promise<Conversation>;
}

/** The part of docs questions that loads when there are some, or with the first command. */
export interface QuestionsFeature extends Disposable {
  run(command: QuestionCommandId, args: readonly unknown[]): Promise<void>;
}

export function createQuestionsFeature(ports: QuestionsFeaturePorts): QuestionsFeature {
  setNumberLanguage(vscode.env.language);
  const store = new DisposableStore();
  try {
    return buildFeature(ports, store);
  } catch (error) {
    // VS Code refuses a second controller of the same name, with which the next call tries again.
    store.dispose();
    throw error;
  }
}

function buildFeature(ports: QuestionsFeaturePorts, store: DisposableStore): QuestionsFeature {
  const { context, settings, log } = ports;
  const controller = store.add(
    vscode.tests.createTestController(QUESTION_TESTS, translate('Docs Questions')),
  );
  const files = store.add(new QuestionFiles(controller, log));
  const profiles = store.add(
    new QuestionProfiles({
      ...ports,
      controller,
      files,
      extensionUri: context.extensionUri,
      history: new RunHistory(context.workspaceState),
    }),
  );
  controller.refreshHandler = () => files.refresh();
  store.add(completeQuestions(settings));
  files.refreshSoon();
  return {
    run: async (command, args) => {
      switch (command) {
        case questionCommands.addDocsQuestion:
          return addDocsQuestion(args[0], ports);
        case questionCommands.addMissedQuestions: {
          const { addMissedQuestions } = await import('./addMissedQuestions');
          return addMissedQuestions(ports);
        }
        case questionCommands.compareQuestions:
          await files.refresh();
          return profiles.compareWithBundle(itemsOf(args));
      }
    },
    dispose: () => store.dispose(),
  };
}

/** Returns the items that a menu of the Test Explorer hands to its command. */
function itemsOf(args: readonly unknown[]): readonly vscode.TestItem[] | undefined {
  const items = args.flat().filter((arg): arg is vscode.TestItem => isItem(arg));
  return items.length === 0 ? undefined : items;
}

function isItem(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && 'children' in value;
}
