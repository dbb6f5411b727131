import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoSync

@Suite("Schedule of a watching sync") struct WatchPlanTests {
    private var plan = WatchPlan(libraryInterval: 30, isWatched: true, at: 0)

    init() { synced(at: 0) }

    private mutating func synced(at now: Double, isWaiting: Bool = false, isComplete: Bool = true) {
        plan.begin()
        plan.record(.done(isWaiting: isWaiting, isComplete: isComplete), jitter: 1, at: now)
    }

    @Test("a watch starts with a sync")
    func beginning() {
        #expect(WatchPlan(libraryInterval: 30, isWatched: true, at: 5).next(at: 5) == .sync)
    }

    @Test("a sync waits until a burst of changes ends, at most half a minute")
    mutating func bursts() {
        plan.record(.changed, at: 10)
        #expect(plan.next(at: 10) == .wait(until: 13))
        plan.record(.changed, at: 11.5)
        #expect(plan.next(at: 12) == .wait(until: 14.5))
        for second in 12...39 { plan.record(.changed, at: Double(second)) }
        #expect(plan.next(at: 39.5) == .wait(until: 40))
        #expect(plan.next(at: 40) == .sync)
        synced(at: 41)
        #expect(plan.next(at: 41) == .wait(until: 71))
    }

    @Test("the library is polled at its interval, and a change there causes a sync at once")
    mutating func library() {
        #expect(plan.next(at: 29) == .wait(until: 30))
        #expect(plan.next(at: 30) == .checkLibrary)
        plan.recordAnswer(hasChanged: false, at: 30)
        #expect(plan.next(at: 31) == .wait(until: 60))
        plan.recordAnswer(hasChanged: true, at: 60)
        #expect(plan.next(at: 60) == .sync)
    }

    @Test("files being written are checked again soon")
    mutating func unfinished() {
        synced(at: 5, isWaiting: true)
        #expect(plan.next(at: 5) == .wait(until: 9))
        #expect(plan.next(at: 9) == .sync)
    }

    @Test("retries after failures back off up to five minutes, regardless of changes")
    mutating func failures() {
        var now = 0.0
        for pause in [5.0, 10, 20, 40, 80, 160, 300, 300] {
            plan.begin()
            plan.record(.failed, jitter: 1, at: now)
            plan.record(.changed, at: now)
            #expect(plan.next(at: now) == .wait(until: now + pause))
            now += pause
            #expect(plan.next(at: now) == .sync)
        }
        plan.record(.failed, jitter: 0, at: now)
        #expect(plan.next(at: now) == .wait(until: now + 150))
        synced(at: now)
        #expect(plan.next(at: now) == .wait(until: now + 30), "the next failure begins with a short pause again")
    }

    @Test("incomplete work is retried with growing pauses, up to once a day")
    mutating func incomplete() {
        var now = 0.0
        for pause in [60.0, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 30_720, 61_440, 86_400, 86_400] {
            synced(at: now, isComplete: false)
            for second in stride(from: now + 30, to: now + pause, by: 30) {
                #expect(plan.next(at: second) == .checkLibrary)
                plan.recordAnswer(hasChanged: false, at: second)
            }
            now += pause
            #expect(plan.next(at: now) == .sync)
        }
        synced(at: now)
        plan.recordAnswer(hasChanged: false, at: now + 400)
        #expect(plan.next(at: now + 400) == .wait(until: now + 430), "it is done")
        synced(at: 0, isComplete: false)
        plan.recordAnswer(hasChanged: false, at: 40)
        #expect(plan.next(at: 60) == .sync, "the next time begins with a short pause again")
    }

    @Test("folders without change events are scanned once a minute")
    mutating func unwatched() {
        plan.record(.watchesOnlyPart, at: 1)
        synced(at: 2)
        plan.recordAnswer(hasChanged: false, at: 40)
        #expect(plan.next(at: 40) == .wait(until: 62))
        #expect(plan.next(at: 62) == .sync)
    }
}

#if os(Linux)
    @Suite("Watching a folder") struct InotifyWatcherTests {
        private let folder: TemporaryFolder
        private let inbox = WatchInbox()

        init() throws { folder = try TemporaryFolder() }

        /// Waits for the next signals; a test that waits until the timeout has failed.
        private func receivedSignals() async -> [FolderSignal] {
            await inbox.wait { try? await Task.sleep(for: .seconds(600)) }
            return inbox.drain()
        }

        @Test("changes in the folder and in existing and new subfolders are reported")
        func changes() async throws {
            try folder.makeFolder("a/b")
            let watch = try InotifyWatcher().watch(folder.path) { [inbox] in inbox.post($0) }
            try folder.write("a/b/c.jpg", [1])
            #expect(await receivedSignals() == [.changed])
            try folder.makeFolder("new/newer")
            #expect(await receivedSignals() == [.changed])
            // The nested folder may have been created before its parent was watched: it is watched as well.
            try folder.write("new/newer/d.jpg", [1])
            #expect(await receivedSignals() == [.changed])
            withExtendedLifetime(watch) {}
        }

        @Test("a recreated folder is reported and watched again")
        func madeAnew() async throws {
            try folder.makeFolder("photos")
            let place = folder.subpath("photos")
            let watched = try WatchedFolder(place, by: InotifyWatcher()) { [inbox] in inbox.post($0) }
            #expect(!watched.updateWatchBlocking())
            #expect(rename(place, folder.subpath("old")) == 0)
            #expect(await receivedSignals() == [.changed])
            #expect(!watched.updateWatchBlocking(), "there is no folder to watch")
            try folder.makeFolder("photos")
            #expect(watched.updateWatchBlocking() && !watched.updateWatchBlocking())
            try folder.write("photos/a.jpg", [1])
            #expect(await receivedSignals() == [.changed])
        }

        @Test("a folder recreated with the same inode number is a different one")
        func removed() async throws {
            try folder.makeFolder("photos")
            let place = folder.subpath("photos")
            let watched = try WatchedFolder(place, by: InotifyWatcher()) { [inbox] in inbox.post($0) }
            #expect(rmdir(place) == 0)
            #expect(await receivedSignals() == [.changed])
            try folder.makeFolder("photos")
            #expect(watched.updateWatchBlocking())
            try folder.write("photos/a.jpg", [1])
            #expect(await receivedSignals() == [.changed])
        }

        @Test("without a signal the wait lasts its full duration")
        func nothing() async {
            let waited = WatchInbox()
            await waited.wait {}
            #expect(waited.drain().isEmpty)
        }

        @Test("a missing folder cannot be watched")
        func missing() {
            #expect(throws: FileError.missing) {
                _ = try InotifyWatcher().watch(folder.subpath("nowhere")) { _ in }
            }
        }
    }
#endif
