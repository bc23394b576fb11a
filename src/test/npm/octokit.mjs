import { Octokit } from '@octokit/rest';

const octokit = new Octokit({ baseUrl: process.argv[2], auth: 'placeholder' });
const site = { owner: 'acme', repo: 'site' };
const issues = await octokit.paginate(octokit.issues.listForRepo, { ...site, per_page: 2 });
console.log(issues.map((issue) => issue.number).join(','));
const pull = await octokit.pulls.create({ ...site, title: 'A fix', head: 'fix', base: 'main' });
console.log(pull.status, pull.data.number);
try {
  await octokit.repos.delete(site);
} catch (refused) {
  console.log(refused.status, refused.response.data.error);
}
