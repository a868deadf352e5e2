import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

interface Project {
  readonly root: string;
  readonly sourceRoot: string;
  readonly entryFile: string;
}

describe('nest-cli.json', () => {
  const { projects } = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8')) as {
    projects: Record<string, Project>;
  };

  it('lists every application, and nothing else', () => {
    expect(Object.keys(projects).toSorted()).toEqual(readdirSync(join(root, 'apps')).toSorted());
  });

  it.each(Object.entries(projects))('says where %s begins', (name, project) => {
    expect(project).toMatchObject({ root: `apps/${name}`, sourceRoot: `apps/${name}/src` });
    expect(existsSync(join(root, project.sourceRoot, `${project.entryFile}.ts`))).toBe(true);
  });
});
