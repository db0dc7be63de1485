/**
 * Lists words that software docs use for each other, and everyday words with the terms that docs use for
 * them. The lists only have pairs that are true for any product.
 */
import { foldWord, stem } from './terms';

/** Lines of words that can stand for each other. */
const alike = `
abort cancel stop interrupt terminate
access permission privilege authorization rights
account user profile
activate enable
add append insert
address url uri link
admin administrator
allow permit enable
alter change modify edit update
answer reply response
app application
argument parameter option
array list
asynchronous async
attribute property field
authenticate login signin authentication credentials
authenticated signed
authorize permission authorization
automatic automatically
backup snapshot
batch bulk
begin start launch
boot startup start
branch fork
browser client
build compile bundle
bundle package
cap limit maximum
catch handle
certificate tls ssl https
check validate verify
choose select pick
class type
cli command terminal shell console
clear flush purge reset
clone copy duplicate
close shutdown terminate stop
colour color theme
combine merge join concatenate
compress gzip compression
concurrent parallel simultaneous concurrency
config configuration configure setting option
connect connection
convert transform
cookie session
crash failure error
create generate make
credential key token secret password
custom customize own
database db
debug troubleshoot diagnose
declare define definition
decode parse deserialize
default preset
defer delay postpone
delete remove destroy drop erase
dependency package library module
deploy publish host release deployment
deprecated obsolete legacy
describe description
detect recognize
dev development
dictionary map object
directory folder
disable deactivate off
disconnect close
docs documentation
download fetch
duplicate repeated
duration time period
encode serialize
encrypt encryption cipher
endpoint route
enum enumeration
env environment variable
error exception failure
evaluate execute
event notification
example sample
exclude ignore skip omit
exit quit
expire expiration expiry ttl
export output
extend extension
extension plugin addon module
fail failure error
fallback default
fast performance speed quick
feature capability
fetch retrieve load get
filter where
find search lookup query
fix solve resolve
flag option switch
font typeface
forbid deny block disallow reject
format formatting layout
function method
generate create
group organization team
header headers
hide hidden
hook callback listener handler
host hostname domain
icon logo
id identifier
ignore skip exclude
image picture photo
import load include
increase raise
inherit extend
initialize init setup
install installation setup
instance object
intercept middleware hook
interval frequency period
invalid malformed
invoke call execute run
issue problem error
iterate loop
js javascript
k8s kubernetes
key token
kill terminate stop
label tag
language locale translation i18n
latency delay
lazy deferred
license licence
lifetime ttl expiry duration
limit maximum quota
list enumerate
listen subscribe
local localhost
localize translate internationalization i18n
lock mutex
log logging logger
login signin authenticate
mask redact hide
max maximum limit
memory ram heap
message notification
metadata annotation
migrate upgrade migration
min minimum
mock stub fake
move relocate
multiple several many
name rename
nested child
network connection
npm yarn pnpm
null empty
observe watch monitor
obsolete deprecated
offline disconnected
open source
order sequence sort
os platform
overwrite override replace
package library module
page screen
paginate pagination cursor page
params parameters
parent ancestor
parse parser read
password passphrase
path route
pause suspend
payload body
performance speed
persist save store
placeholder template
plugin extension addon
port listen
prefix begin
prevent avoid block
price cost billing
print log output
private internal
process worker
prod production
prompt ask
protect secure
provide supply
proxy forwarded
publish release
purge clear
queue job
quota limit
random shuffle
rate throttle
readonly immutable
redirect forward
reduce decrease lower shrink
refer reference
refresh reload
regex regexp pattern
register registration
relation relationship association
reload refresh restart
remote server
remove delete
rename alias
render display show
replace substitute swap
repository repo
require mandatory
reset restore
restart reload
restrict limit
result output
resume continue
retry attempt
return output
revert rollback undo
rights permission
role permission
rollback revert
rotate renew
run execute start
sandbox isolate isolation
save store persist
scale scaling
schedule cron
schema shape structure
scope namespace
script command
search query
secret credential
secure security
serialize stringify
server backend
session cookie
setting option configuration preference
share sharing
shell terminal
shorten truncate
show display
shutdown stop
signature hash
silent quiet
size length
slow performance
snippet example
socket websocket
sort order
spec specification
speech voice audio
split divide
standalone independent
state status
static constant
storage store
stream streaming
string text
style css
submit send
subscribe listen
supported compatible compatibility
switch toggle
sync synchronize
syntax grammar
task job
team organization
template layout
temporary ephemeral
test testing
throttle rate
throw raise
timeout deadline
timestamp date
title heading name
toggle switch
token key
tool utility
trace tracing span telemetry
track monitor
transform convert
translate translation
trigger fire emit
trim strip
truncate cut
ts typescript
tutorial guide
type kind
ui interface
unique distinct
unknown unrecognized
unlimited infinite
unsubscribe unregister
update upgrade
upload send
validate validation check
variable env
vendor provider
version release
view show
visible visibility
wait await delay
warn warning
webhook callback
website site
wrap wrapper
`;

/** Lines with everyday words before the sign and the terms of docs after it. */
const everyday = `
afterwards > after post
anonymous > unauthenticated guest
badge > status
bad > invalid error
before > pre previous
behind > proxy
big large huge > size limit maximum
bill charge pay paying > billing cost price
blank > empty
blow blows explode > error exception crash
bot > agent
break breaks broke broken > error fail change
button > click
cheap cheaper expensive > cost price
checkbox > input
choice > option select
clash > conflict
clean cleanup > clear remove
clever > smart
clip film movie > video
closest nearest > similar near
collect gather > aggregate
command > cli
compare comparison > diff
complain complains > error warning
computer machine > host server
conversation > chat thread message
correct > valid
count number > total
customer visitor person people > user client
damage > corrupt
dangerous harmful unsafe > security attack vulnerability
dark > theme
deadline > timeout
die dies dead > exit crash
disappear vanish lose lost > missing
docs > documentation
double twice > duplicate
empty > null undefined
endless endlessly forever > infinite loop
engine > runtime
explore > search
fail fails failing > error failure
fake > mock
false > invalid
fast faster quickly > performance speed
find out > detect
finish finished done > complete end
fit > size
fix > error
fixed > static constant
flood spam hammer hammering > rate limit throttle
forget forgot > missing
freeze hang hangs stuck > timeout block
front > proxy
give grant > provide
glue > integrate
grow > increase
guard > middleware protect
guess > infer
half > partial
hear listen > audio
helper > utility
hide > hidden
hold > delay
hostname > host
household > group
human person > user manual
identical same > equal duplicate
idle inactive > timeout
image > picture
inside within > nested
internet web > public network http
jump > skip redirect
keep > preserve retain persist
kick > remove
leak leaks > memory expose
leave leaves > close disconnect
letter > character
live > realtime
longest > maximum limit
look looks > style inspect
lower > reduce minimum
machine > server
mail > email
mandatory must > required
mistake wrong typo > error invalid
mobile phone > ios android
money > price billing
name > identifier
nickname shorthand > alias
notice > detect notification
observe > monitor
old older outdated > deprecated legacy
once > single
operate > run
outage > unavailable downtime
own > custom
part piece > chunk section
password > credential
pay > billing
peek > inspect
people > user
permanent > persist
pick > select
picture photo > image
piece > chunk part
place put > location
plain > text
play > audio
pretend > mock
price > cost
print > log
private > internal
program > application code
quick > fast
quit > exit
quiet silence mute > disable suppress ignore
recall remember memorize > memory persist history
recipe > example guide
record > log store
recurring regularly periodically > schedule cron interval
reject > deny error
relogin > refresh
remaining left > rest
repeat repeatedly again > retry loop
repair > fix
rest > remaining
rid > remove delete
rule > policy
safe unsafe > security secure
same > identical equal
screen > view page
script > command
secret > token key
setup > install configure
shape > schema structure
share > sharing
shield > protect
short shorten > truncate
shortest smallest > minimum
side > client server
simulate > mock
slow sluggish > performance
smaller shrink > reduce minimize compress
snag > error
someone somebody > user
speak speaking spoken talk > speech voice audio
speed > performance
spin > loading
split > chunk
spy > monitor
stale > cache outdated
stranger > anonymous
stretch > scale
strip > remove
suddenly > unexpected
survive survives > persist durable
swap > replace
tab > browser
tell > notify
tidy > format
tied > bind
tiny > small minimum
tool > function
transmit > send
trouble > error problem
trust > verify
turn > enable disable
twice > duplicate
typo misspelled > error
undo > rollback revert
unfinished > incomplete partial
unique > distinct
unpack > extract
urgent > priority
visit > navigate
waiting > pending
watch > monitor
weird strange odd > unexpected
wipe > clear delete
word > text
worth > value
write > create
wrong > invalid error
zip > archive
`;

/** Phrases of questions, with the terms of docs that they imply. */
const phrases: readonly (readonly [pattern: RegExp, terms: string])[] = [
  [/\bhow (?:big|large|heavy)\b/i, 'size limit maximum'],
  [/\bhow (?:long)\b/i, 'timeout duration time ttl'],
  [/\bhow (?:often|frequently)\b/i, 'interval frequency'],
  [/\bhow (?:many|much)\b/i, 'limit maximum count number'],
  [/\bhow (?:fast|quick(?:ly)?)\b/i, 'rate speed performance'],
  [/\b(?:signs?|logs?|signed|logged|signing|logging) (?:in|on|into)\b/i, 'login authentication'],
  [/\b(?:signs?|logs?|signed|logged|signing|logging) (?:out|off)\b/i, 'logout session'],
  [/\b(?:try|tries|tried|trying)\b.*\bagain\b/i, 'retry'],
  [/\bat (?:once|the same time)\b/i, 'parallel concurrent batch'],
  [/\bin (?:one go|bulk)\b/i, 'batch bulk'],
  [/\bby (?:itself|themselves)\b/i, 'automatic'],
  [/\b(?:give|gives|gave|giving) up\b/i, 'timeout abort'],
  [/\b(?:switch|turn)(?:es|s|ed|ing)? (?:\w+ )?(?:off)\b|\bget rid of\b/i, 'disable'],
  [/\b(?:switch|turn)(?:es|s|ed|ing)? (?:\w+ )?(?:on)\b/i, 'enable'],
  [/\bset(?:ting)? up\b/i, 'setup install configure'],
  [/\blook(?:s|ing)? up\b/i, 'lookup search'],
  [/\bout of (?:memory|the box)\b/i, 'default memory'],
  [/\b(?:older|newer|previous|earlier) versions?\b/i, 'migration upgrade compatibility'],
  [/\b(?:instead of|rather than)\b/i, 'replace alternative'],
  [/\bper (?:second|minute|hour|day)\b/i, 'rate limit'],
  [/\bright[- ]to[- ]left\b/i, 'rtl'],
  [/\bcommand[- ]line\b/i, 'cli'],
  [/\bfront[- ]end\b/i, 'frontend client ui'],
  [/\bback[- ]end\b/i, 'backend server'],
];

const ALIKE_CREDIT = 0.4;
const EVERYDAY_CREDIT = 0.5;

const termOf = (word: string): string => stem(foldWord(word));

const synonyms = new Map<string, Map<string, number>>();

function relate(from: string, to: string, credit: number): void {
  if (from === to) return;
  const known = synonyms.get(from) ?? new Map<string, number>();
  known.set(to, Math.max(known.get(to) ?? 0, credit));
  synonyms.set(from, known);
}

for (const line of alike.trim().split('\n')) {
  const terms = line.split(' ').map(termOf);
  for (const from of terms) for (const to of terms) relate(from, to, ALIKE_CREDIT);
}
for (const line of everyday.trim().split('\n')) {
  const [from = '', to = ''] = line.split(' > ');
  for (const one of from.split(' ').map(termOf)) {
    for (const other of to.split(' ').map(termOf)) relate(one, other, EVERYDAY_CREDIT);
  }
}

/** Returns the terms that can stand for a term, each with its likeness from 0 to 1. */
export function synonymsOf(term: string): ReadonlyMap<string, number> {
  return synonyms.get(term) ?? new Map();
}

/** Returns terms that a phrase of the question implies. For example, `how often` asks for an interval. */
export function impliedTerms(question: string): string[][] {
  return phrases
    .filter(([pattern]) => pattern.test(question))
    .map(([, terms]) => terms.split(' ').map(termOf));
}
