"""What the soak run has measured: requests, chaos and samples of the processes."""
import collections, csv, os, statistics, threading, time



def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


class Run:
    # The time after a restart in which clients may still meet its effects, in seconds.
    settling = 20

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()
        self.start = time.time()
        self.requests = []
        self.chaos = []
        self.samples = []
        self.problems = []
        self.ended = threading.Event()

    # Requests

    def record(self, operation, begin, failure):
        end = time.time()
        with self.lock:
            self.requests.append((begin, end, operation, failure))

    def is_chaotic(self, begin, end):
        return any(start <= end and (stop is None or begin <= stop) for _, start, stop in self.chaos)

    def problem(self, text):
        with self.lock:
            self.problems.append(text)
        print(f"soak: {text}", flush=True)

    def judge_failure(self, person, operation, begin, failure, is_unexpected):
        """Reports a failed step unless chaos explains it: a lost answer or a refusal of the store."""
        if self.is_chaotic(begin, time.time()) and not is_unexpected:
            return
        self.problem(f"{time.time() - self.start:.0f} s: {operation} of {person.user or person.number}: {failure}")

    # Chaos

    def begin_chaos(self, what):
        with self.lock:
            self.chaos.append([what, time.time(), None])
        print(f"{time.time() - self.start:6.0f} s  {what}", flush=True)

    def end_chaos(self):
        with self.lock:
            self.chaos[-1][2] = time.time() + self.settling

    # Samples

    def sample(self, instances, since):
        now = time.time()
        with self.lock:
            recent = [each for each in self.requests[-20_000:] if each[1] >= since]
            chaotic = any(start <= now and (stop is None or since <= stop) for _, start, stop in self.chaos)
        times = [end - begin for begin, end, _, failure in recent if failure is None]
        row = {
            "second": round(now - self.start), "chaos": int(chaotic), "requests": len(recent),
            "failures": sum(each[3] is not None for each in recent),
            "p50_ms": round(1000 * percentile(times, 0.5), 1), "p99_ms": round(1000 * percentile(times, 0.99), 1),
        }
        for instance in instances:
            try:
                row[f"{instance.name}_rss_mb"] = round(instance.memory() / 1e6, 1)
                row[f"{instance.name}_fds"] = instance.descriptors()
            except OSError:
                # The instance is being restarted.
                row[f"{instance.name}_rss_mb"] = row[f"{instance.name}_fds"] = ""
        self.samples.append(row)

    # The verdict

    def thirds(self, end):
        """Returns the first and the last third of the time after the warm-up, which is a tenth."""
        begin = self.start + (end - self.start) / 10
        third = (end - begin) / 3
        return (begin, begin + third), (end - third, end)

    def growth(self, column, end):
        """Returns the medians of a column in the first and the last third."""
        medians = []
        for begin, stop in self.thirds(end):
            values = [row[column] for row in self.samples
                      if begin <= self.start + row["second"] <= stop and row[column] != ""]
            medians.append(statistics.median(values))
        return medians

    def latency(self, operations, end):
        """Returns p50 and p99 of operations outside chaos, in the first and the last third, in milliseconds."""
        found = []
        for begin, stop in self.thirds(end):
            times = [1000 * (ended - started) for started, ended, operation, failure in self.requests
                     if operation in operations and failure is None and begin <= started and ended <= stop
                     and not self.is_chaotic(started, ended)]
            found.append((percentile(times, 0.5), percentile(times, 0.99), len(times)))
        return found

    def write(self):
        with open(os.path.join(self.folder, "samples.csv"), "w", newline="") as file:
            rows = csv.DictWriter(file, self.samples[-1].keys())
            rows.writeheader()
            rows.writerows(self.samples)

    def table(self):
        """Returns for each operation: count, p50, p99 and failures by class, in chaos and outside."""
        groups = collections.defaultdict(list)
        for request in self.requests:
            groups[request[2]].append(request)
        lines = []
        for operation, requests in sorted(groups.items()):
            times = [1000 * (end - begin) for begin, end, _, failure in requests if failure is None]
            kinds = collections.Counter(
                f"{failure}{' in chaos' if self.is_chaotic(begin, end) else ''}"
                for begin, end, _, failure in requests if failure is not None)
            failures = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
            lines.append(f"{operation:14} {len(requests):7}  p50 {percentile(times, 0.5):7.1f} ms  "
                         f"p99 {percentile(times, 0.99):7.1f} ms  {failures}")
        return "\n".join(lines)
