import { type Json, operationsOf, readDocument } from './api-document.js';
import { readRecorded, recordedAreas } from './recorded-answers.js';

/** An answer, and the model of a generated client that reads it. */
export interface ModelAnswer {
  readonly name: string;
  readonly model: string;
  readonly body: string;
}

/** @returns the examples of a document, and the answers that the corpus has of it */
export async function answersOf(area: string): Promise<ModelAnswer[]> {
  const examples = operationsOf(area, readDocument(area)).flatMap(({ name, item }) =>
    Object.entries(item.responses).flatMap(([status, response]) =>
      Object.entries((contentOf(response)?.['examples'] ?? {}) as Record<string, Json>).map(([title, { value }]) =>
        toAnswer({ name: `${name} ${status} ${title}`, operation: { name, item }, status, body: value }),
      ),
    ),
  );
  const recorded = await Promise.all(recordedAreas.filter(({ document }) => document === area).map(readRecorded));
  const answers = recorded
    .flat()
    .flatMap(({ operation, record: { name, status, body } }) =>
      operation === undefined ? [] : toAnswer({ name, operation, status: String(status), body }),
    );
  return [...examples, ...answers].flat();
}

type Answered = Pick<ReturnType<typeof operationsOf>[number], 'name' | 'item'>;

const contentOf = (response: Json | undefined): Json | undefined =>
  (response?.['content'] as Record<string, Json> | undefined)?.['application/json'];

function toAnswer(answer: { name: string; operation: Answered; status: string; body: unknown }): ModelAnswer[] {
  const { name, operation, status, body } = answer;
  const schema = contentOf(operation.item.responses[status])?.['schema'] as Json | undefined;
  if (schema === undefined || typeof body !== 'object') return [];
  // A choice of several has a model of its own, called after the operation.
  const own = `${operation.name.charAt(0).toUpperCase()}${operation.name.slice(1)}${status}Response`;
  const model = typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? '') : own;
  return [{ name, model, body: JSON.stringify(body) }];
}

/** @returns by its file's name a program that reads answers.json with the models, and says which it cannot read */
export const readers: Readonly<
  Record<'go' | 'python', (answers: readonly ModelAnswer[]) => [file: string, text: string]>
> = {
  go: (answers) => [
    'answers_test.go',
    `package openapi

import (
	"encoding/json"
	"os"
	"testing"
)

func TestAnswers(t *testing.T) {
	models := map[string]func() any{
${[...new Set(answers.map(({ model }) => model))].map((each) => `\t\t"${each}": func() any { return new(${each}) },`).join('\n')}
	}
	text, err := os.ReadFile("answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers []struct{ Name, Model, Body string }
	if err := json.Unmarshal(text, &answers); err != nil {
		t.Fatal(err)
	}
	for _, each := range answers {
		if err := json.Unmarshal([]byte(each.Body), models[each.Model]()); err != nil {
			t.Errorf("%s: %v", each.Name, err)
		}
	}
}
`,
  ],
  python: () => [
    'read_answers.py',
    `import json, sys
import openapi_client

faults = []
for each in json.load(open('answers.json')):
    try:
        getattr(openapi_client, each['model']).from_json(each['body'])
    except Exception as error:
        faults.append(f"{each['name']}: {error}")
sys.exit('\\n'.join(faults) or 0)
`,
  ],
};
