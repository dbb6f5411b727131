-- A script for wrk with one thread: sends each prepared request once, prints one JSON object.
-- Arguments: REQUESTS RESPONSES ENDING. REQUESTS has a line for each request: method, path, headers ("name: value"
-- separated by TAB) and body, separated by the byte 1. RESPONSES gets the bodies of the responses. ENDING is the status
-- of a page that does not exist.
local ffi = require("ffi")
ffi.cdef "typedef struct { long s, ns; } moment; int clock_gettime(int, moment *); int getpid(); int kill(int, int);"

local function now()
  local moment = ffi.new("moment[1]")
  ffi.C.clock_gettime(1, moment)
  return tonumber(moment[0].s) + tonumber(moment[0].ns) / 1e9
end

local threads = {}
function setup(thread) threads[#threads + 1] = thread end

function init(arguments)
  requests, sent, received, refused, started, ended = {}, 0, 0, 0, 0, 0
  for line in io.lines(arguments[1]) do
    local method, path, headers, body = line:match("^([^\1]*)\1([^\1]*)\1([^\1]*)\1(.*)$")
    local fields = { ["Content-Type"] = "application/json" }
    for name, value in headers:gmatch("([^\t:]+): ([^\t]+)") do fields[name] = value end
    requests[#requests + 1] = wrk.format(method, path, fields, body)
  end
  count = #requests
  responses = io.open(arguments[2], "w")
  ending = tonumber(arguments[3])
end

-- wrk asks for one request that it only checks. Once all requests are sent, the connections ask for a page that does
-- not exist until the last response has arrived.
function request()
  if not checked then
    checked = true
    return requests[1]
  end
  if sent == 0 then started = now() end
  sent = sent + 1
  return requests[sent] or wrk.format("GET", "/nothing-here")
end

function response(status, headers, body)
  if status == ending then return end
  received = received + 1
  if status >= 300 and status ~= 404 then
    refused = refused + 1
    if refused == 1 then io.stderr:write(status, " ", body, "\n") end
  end
  responses:write(body, "\n")
  if received == count then
    ended = now()
    responses:close()
    wrk.thread:stop()
    -- SIGINT ends wrk, which otherwise waits until its time has passed.
    ffi.C.kill(ffi.C.getpid(), 2)
  end
end

function done(summary, latency)
  local thread = threads[1]
  io.write(string.format('{"count": %d, "refused": %d, "seconds": %.6f, "p50": %.3f, "p99": %.3f}\n',
    thread:get("received"), thread:get("refused"), thread:get("ended") - thread:get("started"),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
