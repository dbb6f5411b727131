import Synchronization
import Testing

@testable import Transport

@Suite("Deadlines with one timer")
struct DeadlinesTests {
    private final class Expired: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    /// Lets the time pass until a number of deadlines has expired.
    private func wait(for count: Int, _ expired: Expired, _ manual: ManualClock) async {
        while expired.all.count < count {
            manual.advance(by: .milliseconds(10))
            await Task.yield()
        }
    }

    @Test("deadlines expire in order, and removed ones do not")
    func order() async {
        let manual = ManualClock()
        let (deadlines, expired) = (Deadlines(manual.clock), Expired())
        _ = deadlines.add(.seconds(30)) { expired.add("second") }
        let removed = deadlines.add(.seconds(10)) { expired.add("removed") }
        _ = deadlines.add(.seconds(20)) { expired.add("first") }
        deadlines.remove(removed)
        await wait(for: 1, expired, manual)
        #expect(manual.now >= .seconds(20))
        await wait(for: 2, expired, manual)
        #expect(manual.now >= .seconds(30))
        #expect(expired.all == ["first", "second"])
    }

    @Test("a deadline can be moved to a later and to an earlier time")
    func moves() async {
        let manual = ManualClock()
        let (deadlines, expired) = (Deadlines(manual.clock), Expired())
        let later = deadlines.add(.seconds(10)) { expired.add("later") }
        let earlier = deadlines.add(.seconds(60)) { expired.add("earlier") }
        deadlines.move(later, to: .seconds(50))
        deadlines.move(earlier, to: .seconds(20))
        await wait(for: 1, expired, manual)
        #expect(manual.now >= .seconds(20))
        await wait(for: 2, expired, manual)
        #expect(manual.now >= .seconds(50))
        #expect(expired.all == ["earlier", "later"])
    }

    @Test("progress postpones a deadline, until a check ends it or it is removed")
    func postponed() async {
        let manual = ManualClock()
        let (deadlines, expired) = (Deadlines(manual.clock), Expired())
        let checks = Mutex(0)
        _ = deadlines.watch(.seconds(10)) {
            let count = checks.withLock { checks in
                checks += 1
                return checks
            }
            if count < 3 { return .seconds(10 + 20 * count) }
            expired.add("ended")
            return nil
        }
        let removed = Mutex<Int?>(nil)
        let id = deadlines.watch(.seconds(20)) {
            // Removed during the check: the later deadline is not kept.
            if let id = removed.withLock({ $0 }) { deadlines.remove(id) }
            expired.add("removed")
            return .seconds(40)
        }
        removed.withLock { $0 = id }
        await wait(for: 2, expired, manual)
        #expect(manual.now >= .seconds(50) && checks.withLock { $0 } == 3)
        #expect(expired.all == ["removed", "ended"])
    }

    @Test("any number of deadlines with the same timeout needs one timer")
    func timers() async {
        let manual = ManualClock()
        let deadlines = Deadlines(manual.clock)
        for second in 0..<20 {
            let id = deadlines.add(.seconds(30 + second)) {}
            while manual.sleepCount == 0 { await Task.yield() }
            manual.advance(by: .seconds(1))
            deadlines.remove(id)
        }
        #expect(manual.sleepCount == 1)
    }
}
