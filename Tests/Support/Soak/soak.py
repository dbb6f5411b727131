"""Runs mixed load against two instances on one SeaweedFS with chaos, and checks that nothing grows or is lost.

usage: soak.py PROGRAM MINUTES FOLDER
"""
import collections, datetime, json, os, random, signal, socket, sys, threading, time, uuid

from accounts import Client, Person, Unexpected
from http_client import Failure, address_of
from processes import Engine, Instance, wait_until
from run import Run

program, minutes, folder = os.path.abspath(sys.argv[1]), float(sys.argv[2]), os.path.abspath(sys.argv[3])
workers, rate, people = 8, float(os.environ.get("RATE", 15)), 120
# Steps by weight. A person who is not signed in signs up first.
steps = {"refresh": 20, "sign_in": 8, "devices": 15, "upload": 15, "download": 20, "pages": 8, "link": 4, "skewed": 2,
         "delete": 1}
groups = {
    "API": {"challenge", "sign-up", "sign-in", "refresh", "devices", "linked", "link", "unlink", "credentials"},
    "pages": {"page"}, "storage": {"upload", "download"},
}

os.makedirs(folder, mode=0o700, exist_ok=True)
engine = Engine(os.path.join(folder, "seaweedfs"))
first = Instance("a", program, engine, folder)
second = Instance("b", program, engine, folder, first.url)
instances = [first, second]
run = Run(folder)
pool = [Person(number) for number in range(people)]
gone = []
pool_lock = threading.Lock()


def pick():
    """Returns a person for whom no other thread acts, with the lock held. A deleted one is replaced."""
    while True:
        with pool_lock:
            place = random.randrange(len(pool))
            person = pool[place]
            if person.is_deleted:
                gone.append(person)
                person = pool[place] = Person(people + len(gone))
        if person.lock.acquire(blocking=False):
            if not person.is_deleted:
                return person
            person.lock.release()


def step(person):
    name = random.choices(list(steps), steps.values())[0]
    begin = time.time()
    try:
        client = Client(random.choice(instances), run)
        if person.session is None:
            client.sign_up(person)
        getattr(client, name)(person)
    except Failure as failure:
        run.judge_failure(person, name, begin, failure, False)
    except Unexpected as problem:
        run.judge_failure(person, name, begin, problem, True)


def work():
    while not run.ended.is_set():
        person = pick()
        try:
            step(person)
        except Exception as error:
            run.problem(f"step failed: {error!r}")
        finally:
            person.lock.release()
        run.ended.wait(random.expovariate(rate / workers))


def bother():
    """Clients that send nothing, that send slowly, and that leave in the middle of a body."""
    silent = []
    while not run.ended.is_set():
        for instance in instances:
            try:
                # The server closes a silent connection after 60 seconds; half of them leave before.
                if len(silent) < 40:
                    silent.append((socket.create_connection(instance.address, 5), time.monotonic()))
                with socket.create_connection(instance.address, 5) as slow:
                    slow.sendall(b"POST /auth/signin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
                    for byte in b"Content-Length: 1000\r\n\r\n{\"provider\":":
                        slow.sendall(bytes([byte]))
                        run.ended.wait(0.02)
            except OSError:
                pass
        for connection, opened in silent[:]:
            if time.monotonic() - opened > 30 + len(silent):
                connection.close()
                silent.remove((connection, opened))
        run.ended.wait(1)
    for connection, _ in silent:
        connection.close()


def kill_instance(instance):
    run.begin_chaos(f"kill -9 instance {instance.name}")
    instance.stop(signal.SIGKILL)
    run.ended.wait(2)
    instance.start()
    run.end_chaos()


def restart_engine(with_signal):
    run.begin_chaos(f"restart SeaweedFS with {with_signal.name}")
    engine.stop(with_signal)
    run.ended.wait(3)
    engine.start()
    for instance in instances:
        wait_until(f"instance {instance.name} is ready", instance.is_ready)
    run.end_chaos()


def harm(end):
    """Restarts instance b every two minutes and SeaweedFS every five. Instance a lives on: its memory is measured."""
    next_kill, next_restart, signals = time.time() + 90, time.time() + 200, [signal.SIGTERM, signal.SIGKILL]
    while not run.ended.wait(1) and time.time() < end - 60:
        if time.time() >= next_kill:
            kill_instance(second)
            next_kill = time.time() + 120
        elif time.time() >= next_restart:
            restart_engine(signals[0])
            signals.reverse()
            next_restart = time.time() + 300


def check(what, holds):
    print(f"{'ok     ' if holds else 'FAILED '} {what}", flush=True)
    if not holds:
        run.problems.append(what)


def check_growth(end):
    before, after = run.growth("a_rss_mb", end)
    check(f"memory of instance a: {before:.0f} MB, then {after:.0f} MB (at most 10 % or 15 MB more)",
          after <= max(before * 1.1, before + 15))
    before, after = run.growth("a_fds", end)
    check(f"open files of instance a: {before:.0f}, then {after:.0f} (at most 10 more)", after <= before + 10)
    for name, operations in groups.items():
        (p50, p99, count), (late50, late99, late) = run.latency(operations, end)
        check(f"latency of {name}: p50 {p50:.1f} ms, then {late50:.1f}; p99 {p99:.0f} ms, then {late99:.0f} "
              f"({count} and {late} requests; p50 at most 1.5 times + 5 ms, p99 at most twice + 100 ms)",
              count > 50 and late > 50 and late50 <= p50 * 1.5 + 5 and late99 <= p99 * 2 + 100)


def check_people():
    """Signs everyone in on both instances and reads all photos back."""
    known, photos = 0, 0
    for person in pool + gone:
        if person.user is None:
            continue
        client = Client(random.choice(instances), run)
        try:
            if person.is_deleted:
                body = dict(client.identity(person, "apple", "signin"), device=client.device(person))
                answer = client.call("sign-in", "/auth/signin", body, expect=(200, 404))
                if answer.status == 200 and answer.json()["user"]["serviceUserID"] != person.user:
                    raise Unexpected(f"the deleted {person.user} is {answer.json()['user']['serviceUserID']}")
                continue
            for provider, instance in zip(["google" if person.has_google else "apple", "apple"], instances):
                # On another device: a younger identity does not replace the session of an older one.
                person.device = str(uuid.uuid4())
                Client(instance, run).sign_in(person, provider)
            for key in person.photos:
                client.check_photo(person, key)
                photos += 1
            known += 1
        except (Failure, Unexpected) as problem:
            run.problem(f"at the end: {problem}")
    print(f"        {known} accounts signed in to the same UUID on both instances; {photos} photos read back", flush=True)


def check_store():
    # Operations that a killed instance left unfinished.
    status, text = first.command("repair", "--apply")
    print(f"        repair --apply: status {status}: {text.strip().splitlines()[-1]}", flush=True)
    status, text = first.command("repair")
    check(f"repair finds nothing: {text.strip()[-300:]}", status == 0 and "no findings" in text)
    status, text = first.command("doctor")
    check(f"doctor: status {status}", status == 0)
    if status:
        print(text, flush=True)


def check_logs():
    """Counts the events in the instances' logs. An error or a crash needs a cause."""
    counts, causeless = collections.Counter(), []
    for instance in instances:
        with open(instance.log.name, errors="replace") as file:
            for line in file:
                if line.startswith("{"):
                    fields = json.loads(line)
                    time_logged = datetime.datetime.fromisoformat(fields["time"].replace("Z", "+00:00")).timestamp()
                    counts[fields["level"], fields.get("event", "-")] += 1
                    if fields["level"] == "error" and not run.is_chaotic(time_logged, time_logged):
                        causeless.append(line.strip()[:500])
                elif "Fatal error" in line or "Crash" in line:
                    causeless.append(line.strip())
    for (level, event), count in sorted(counts.items()):
        print(f"        log: {count} {level} {event}", flush=True)
    check(f"no error in the logs outside chaos {causeless[:5] or ''}", not causeless)


def main():
    end = time.time() + minutes * 60
    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    threads += [threading.Thread(target=bother, daemon=True), threading.Thread(target=harm, args=[end], daemon=True)]
    for thread in threads:
        thread.start()
    sampled = time.time()
    while time.time() < end:
        time.sleep(10)
        run.sample(instances, sampled)
        sampled = time.time()
    run.ended.set()
    for thread in threads:
        thread.join(120)
    stopped = time.time()
    run.write()
    print(run.table(), flush=True)
    check_growth(stopped)
    kill_instance(first)
    check_people()
    check_store()
    check_logs()
    check("no unexpected failure", not run.problems)
    for instance in instances:
        check(f"instance {instance.name} ends cleanly", instance.stop(signal.SIGTERM) == 0)
    print(f"        samples: {folder}/samples.csv", flush=True)
    return 1 if run.problems else 0


status = 1
try:
    status = main()
finally:
    for instance in instances:
        if instance.process.poll() is None:
            instance.process.kill()
    engine.stop(signal.SIGTERM)
sys.exit(status)
