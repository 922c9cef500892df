import { createHash } from "node:crypto";

/**
 * What is decided in Redis is decided in one script, which nothing else interleaves with. Times are Redis' own clock: the
 * clocks of daemons differ, and a lease that one of them took must be over for all of them at the same moment.
 *
 *     <prefix>claim:<key>       hash: state, tx, content, lease (Redis ms), window (ms), result (sealed). `held` and `unknown`
 *                               never expire; `executed` expires after its window
 *     <prefix>tx:<id>           hash: owner, boot, claim, and for each limit its counter and the member that it put there
 *     <prefix>limit:<counter>   sorted set: `<id>|<amount>|<n>` by the Redis ms of its reservation
 *     <prefix>total:<counter>   hash: sum and rest of what is in that set
 *     <prefix>members:<counter> hash: of a limit on different values, how often each is in that set, which is then `<id>|1|<n>|<value>`
 *     <prefix>owner:<owner>     set: `<boot>|<id>` of one daemon's transactions that have no outcome yet
 *     <prefix>gone:<id>         a transaction that was given up: it takes nothing any more
 *     <prefix>token:<digest>    a single-use token that was used; expires long after the token
 *     <prefix>ended             channel: the transaction whose claim ended
 */
const shared = `
local p = KEYS[1]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- Neumaier's sum: what rounding takes away is kept beside, so that a total that was added to and taken from a million
-- times is the sum of what is in the set.
local function add(counter, amount)
  local key = p .. 'total:' .. counter
  local at = redis.call('HMGET', key, 'sum', 'rest')
  local sum, rest = tonumber(at[1] or '0'), tonumber(at[2] or '0')
  local total = sum + amount
  if math.abs(sum) >= math.abs(amount) then rest = rest + ((sum - total) + amount)
  else rest = rest + ((amount - total) + sum) end
  redis.call('HSET', key, 'sum', string.format('%.17g', total), 'rest', string.format('%.17g', rest))
end

local function amountIn(member)
  local _, _, amount = string.find(member, '^[^|]*|([^|]*)|')
  return tonumber(amount)
end

-- Of a limit on different values: the value; else nil.
local function valueIn(member)
  local _, _, value = string.find(member, '^[^|]*|[^|]*|[^|]*|(.+)$')
  return value
end

-- Of what stands in a set, counts one member in (1) or out (-1).
local function count(counter, member, by)
  local value = valueIn(member)
  if not value then return add(counter, by * amountIn(member)) end
  local key = p .. 'members:' .. counter
  if redis.call('HINCRBY', key, value, by) <= 0 then redis.call('HDEL', key, value) end
end

local function takeOut(counter, member)
  if redis.call('ZREM', p .. 'limit:' .. counter, member) == 1 then count(counter, member, -1) end
  if redis.call('EXISTS', p .. 'limit:' .. counter) == 0 then
    redis.call('DEL', p .. 'total:' .. counter, p .. 'members:' .. counter)
  end
end

-- Its daemon need not ask for its outcome after a crash.
local function disown(tx)
  local at = redis.call('HMGET', p .. 'tx:' .. tx, 'owner', 'boot')
  if at[1] then redis.call('SREM', p .. 'owner:' .. at[1], at[2] .. '|' .. tx) end
end

-- Forgets a transaction: its outcome is known, or another one has its claim.
local function forget(tx)
  disown(tx)
  redis.call('DEL', p .. 'tx:' .. tx)
end

-- Gives back all that a transaction holds.
local function release(tx)
  local record = redis.call('HGETALL', p .. 'tx:' .. tx)
  for i = 1, #record, 2 do
    local field, value = record[i], record[i + 1]
    if string.sub(field, 1, 6) == 'limit:' then
      local bar = string.find(value, '|', 1, true)
      takeOut(string.sub(value, 1, bar - 1), string.sub(value, bar + 1))
    elseif field == 'claim' and redis.call('HGET', p .. 'claim:' .. value, 'tx') == tx then
      redis.call('DEL', p .. 'claim:' .. value)
      redis.call('PUBLISH', p .. 'ended', tx)
    end
  end
  forget(tx)
end
`;

/** ARGV: id, owner, boot, claim key or '', its content, effect, lease_ms, claim window_ms; then counter, window_ms, max, amount, values (joined by commas; '' for a sum) of each limit. */
const enterText = `${shared}
local tx, owner, boot, key, content, effect = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if redis.call('EXISTS', p .. 'gone:' .. tx) == 1 then return {'gone'} end

local before = nil
if key ~= '' then
  local claim = redis.call('HMGET', p .. 'claim:' .. key, 'state', 'tx', 'content', 'lease', 'result')
  local state, lease = claim[1], tonumber(claim[4])
  if state then
    if claim[3] ~= content then return {'key_reused', claim[2]} end
    if state == 'held' and now >= lease then
      state = 'unknown'
      redis.call('HSET', p .. 'claim:' .. key, 'state', state)
    end
    -- Only what may run twice may run after what nobody knows the outcome of.
    if state ~= 'unknown' or effect == 'write' then
      return {state, claim[2], string.format('%.0f', lease - now), claim[5]}
    end
    before = claim[2]
  end
end

-- All limits are looked at before anything is taken. What this call itself puts on a counter that several limits share
-- counts for each.
local own, ownValues = {}, {}
for i = 9, #ARGV, 5 do
  local counter, window, max, amount = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3])
  local values = ARGV[i + 4]
  local set = p .. 'limit:' .. counter
  local over = string.format('%.0f', now - window)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', set, '-inf', over)) do takeOut(counter, member) end
  if redis.call('EXISTS', p .. 'total:' .. counter, p .. 'members:' .. counter) == 0 then
    for _, member in ipairs(redis.call('ZRANGE', set, 0, -1)) do count(counter, member, 1) end
  end
  local isWithin = true
  if values ~= '' then
    local added, seen = 0, ownValues[counter] or {}
    for value in string.gmatch(values, '[^,]+') do seen[value] = true end
    ownValues[counter] = seen
    for value in pairs(seen) do
      if redis.call('HEXISTS', p .. 'members:' .. counter, value) == 0 then added = added + 1 end
    end
    isWithin = added == 0 or redis.call('HLEN', p .. 'members:' .. counter) + added <= max
  else
    local at = redis.call('HMGET', p .. 'total:' .. counter, 'sum', 'rest')
    local spent = tonumber(at[1] or '0') + tonumber(at[2] or '0')
    own[counter] = (own[counter] or 0) + amount
    -- A part in a million millions is rounding, such as that of three times 0.1. Written so that NaN exceeds.
    isWithin = amount >= 0 and spent + own[counter] <= max + max * 1e-12
  end
  if not isWithin then return {'limit', string.format('%.0f', (i - 9) / 5)} end
end

-- What may have run stays counted.
if before then forget(before) end
local function put(counter, window, member, field)
  redis.call('ZADD', p .. 'limit:' .. counter, string.format('%.0f', now), member)
  count(counter, member, 1)
  for _, kind in ipairs({'limit:', 'total:', 'members:'}) do redis.call('PEXPIRE', p .. kind .. counter, window) end
  redis.call('HSET', p .. 'tx:' .. tx, 'limit:' .. field, counter .. '|' .. member)
end
for i = 9, #ARGV, 5 do
  local counter, window, amount, values = ARGV[i], ARGV[i + 1], ARGV[i + 3], ARGV[i + 4]
  if values == '' then put(counter, window, tx .. '|' .. amount .. '|' .. i, i) end
  for value in string.gmatch(values, '[^,]+') do
    put(counter, window, tx .. '|1|' .. i .. '|' .. value, i .. ':' .. value)
  end
end
redis.call('HSET', p .. 'tx:' .. tx, 'owner', owner, 'boot', boot)
if key ~= '' then
  redis.call('HSET', p .. 'tx:' .. tx, 'claim', key)
  redis.call('HSET', p .. 'claim:' .. key, 'state', 'held', 'tx', tx, 'content', content,
    'lease', string.format('%.0f', now + ARGV[7]), 'window', ARGV[8])
end
redis.call('SADD', p .. 'owner:' .. owner, boot .. '|' .. tx)
return {'entered'}
`;

/** ARGV: id, `released` | `executed` | `unknown`, the sealed result or '', for how long (ms) the id is given up or '0'. */
const endText = `${shared}
local tx, outcome, result = ARGV[1], ARGV[2], ARGV[3]
if ARGV[4] ~= '0' then redis.call('SET', p .. 'gone:' .. tx, '1', 'PX', ARGV[4]) end
if outcome == 'released' then
  release(tx)
  return 'told'
end
local key = redis.call('HGET', p .. 'tx:' .. tx, 'claim')
if key and redis.call('HGET', p .. 'claim:' .. key, 'tx') == tx then
  local claim = p .. 'claim:' .. key
  redis.call('HSET', claim, 'state', outcome)
  if outcome == 'executed' then
    if result ~= '' then redis.call('HSET', claim, 'result', result) end
    redis.call('PEXPIRE', claim, redis.call('HGET', claim, 'window'))
  end
  redis.call('PUBLISH', p .. 'ended', tx)
end
-- A claim that is unknown may still be told of: its record stays, so that a late outcome finds it.
if outcome == 'executed' or not key then forget(tx) else disown(tx) end
return 'told'
`;

/** ARGV: digest of the deployment's key. The first daemon writes it; whoever has another key is told. */
const admitText = `
redis.call('SET', KEYS[1] .. 'deployment', ARGV[1], 'NX')
return redis.call('GET', KEYS[1] .. 'deployment')
`;

/** ARGV: digest of a single-use token; for how many ms it is kept. 1 for the first who notes it, else 0. */
const noteTokenText = `
if redis.call('SET', KEYS[1] .. 'token:' .. ARGV[1], '', 'NX', 'PX', ARGV[2]) then return 1 end
return 0
`;

export interface Script {
  readonly text: string;
  readonly sha1: string;
}

const script = (text: string): Script => Object.freeze({ text, sha1: createHash("sha1").update(text).digest("hex") });

export const enterScript = script(enterText);
export const endScript = script(endText);
export const admitScript = script(admitText);
export const noteTokenScript = script(noteTokenText);
