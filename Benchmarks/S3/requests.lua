-- Sends one request for each line of a file (method, path and name of a body file, separated by \1), over and over, and
-- prints requests, seconds, bytes and failures as JSON. Usage: wrk -s requests.lua URL -- FILE
local requests, bodies, next_request = {}, {}, 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local method, path, file = line:match("^(.-)\1(.-)\1(.*)$")
    if file ~= "" and not bodies[file] then
      local handle = assert(io.open(file, "rb"))
      bodies[file] = handle:read("*a")
      handle:close()
    end
    requests[#requests + 1] = wrk.format(method, path, nil, bodies[file])
  end
end

function request()
  next_request = next_request % #requests + 1
  return requests[next_request]
end

function done(summary)
  local errors = summary.errors
  print(string.format('{"requests": %d, "seconds": %f, "bytes": %d, "failures": %d}', summary.requests,
    summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
