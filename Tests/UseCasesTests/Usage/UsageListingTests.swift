import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Testing

/// Counts of many accounts from shared pages equal those of each account alone.
@Suite struct UsageListingTests {
    private let clock = TestClock()
    private let retry = RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in })

    @Test(arguments: [false], [1, 3, 7])
    func `shared pages give the same count as the listings of one account`(
        countsCaseVariants: Bool, every step: Int
    ) async throws {
        let clock = clock
        let store = RecordingObjectStore(MemoryObjectStore { clock.now })
        var random = SeededGenerator(seed: 5)
        let users = (0..<24).map { _ in UserID(uuid: .random(using: &random)) }.sorted { "\($0)" < "\($1)" }
        for (index, user) in users.enumerated() {
            // Some have none, one has more than a page, and one has keys that Unicode joins with the slash.
            let count = index == 6 ? 2100 : index.isMultiple(of: 4) ? 0 : Int.random(in: 1...40, using: &random)
            for number in 0..<count {
                let isPreview = number % 8 == 1
                let prefix =
                    isPreview
                    ? StorageLayout.previews(user) : StorageLayout.userPrefixes(user)[index == 6 ? 0 : number % 4]
                let mark = number.isMultiple(of: 5) ? "\u{301}" : ""
                let key = ObjectKey(known: "\(prefix)\(mark)\(number)")
                _ = try await store.put(key, ByteBuffer(repeating: 1, count: 1 + number % 9), if: .always)
            }
            let upper = ObjectKey(known: StorageLayout.photos(user).uppercased() + "x")
            if index.isMultiple(of: 3) { _ = try await store.put(upper, ByteBuffer(string: "xx"), if: .always) }
        }
        let counts = UsageCounts(
            store: store, retry: retry, countsCaseVariants: countsCaseVariants, now: { clock.now })
        var listing = try #require(counts.makeListing())
        _ = store.drainRequests()
        var listed: [UserID: UsageDocument] = [:]
        for user in users.enumerated().filter({ $0.offset.isMultiple(of: step) }).map(\.element) {
            listed[user] = try await listing.count(of: user)
        }
        // At most the pages of all objects, and the listing after the last one.
        if !countsCaseVariants { #expect(store.drainRequests().count <= 10) }
        for (user, count) in listed {
            let alone = try await counts.count(user, limit: .max).document
            #expect(count.kinds == alone.kinds && count.bytes == alone.bytes && count.objects == alone.objects)
            #expect(count.previews == alone.previews)
        }
    }

    @Test(arguments: [(3, 3), (1200, 3), (3, 1200), (1200, 1200)])
    func `a count includes each thumbnail, preview and other object below their prefix once`(
        thumbnails: Int, previews: Int
    ) async throws {
        let clock = clock
        let store = RecordingObjectStore(MemoryObjectStore { clock.now })
        let user = UserID.bob
        var random = SeededGenerator(seed: 6)
        func digest() -> String {
            let digits = (0..<32).map { _ in String(Int.random(in: 0..<16, using: &random), radix: 16) }
            return digits.joined()
        }
        var keys = (0..<thumbnails).map { _ in StorageLayout.thumbnail(user, md5: digest()) }
        keys += (0..<previews).map { _ in StorageLayout.preview(user, md5: digest()) }
        keys += ["g", "previews", "previews!", "previews/\u{301}", "previews/z", "previews0", "zz"]
            .map { StorageLayout.thumbnails(user) + $0 }
        for key in keys { _ = try await store.put(ObjectKey(known: key), ByteBuffer(string: "abc"), if: .always) }
        let counts = UsageCounts(store: store, retry: retry, now: { clock.now })
        let count = try await counts.count(user, limit: .max).document
        let kind = try #require(count.kinds?[.thumbnails])
        #expect(kind.bytes == Int64(3 * keys.count) && kind.objects == keys.count)
        let large = keys.count { $0.utf8.starts(with: StorageLayout.previews(user).utf8) }
        #expect(count.previews?.bytes == Int64(3 * large) && count.previews?.objects == large)
        #expect(store.drainRequests().filter { $0.kind == .list }.count <= 50)
    }

    @Test(arguments: [86_400.0, 3600, 200_000, 600_000])
    func `each account is recounted once a week, whatever the interval of the runs`(interval: TimeInterval) throws {
        var random = SeededGenerator(seed: 8)
        let users = (0..<500).map { _ in UserID(uuid: .random(using: &random)) }
        var progress = RecountSchedule(after: nil, at: clock.now).progress
        // Until all runs count only what is due.
        clock.advance(by: 4 * 86_400)
        progress = RecountSchedule(after: progress, at: clock.now).progress
        let start = clock.now
        var recounts: [UserID: Int] = [:]
        var most = 0
        while clock.now < start.addingTimeInterval(7 * 86_400) {
            clock.advance(by: min(interval, 7 * 86_400 - clock.now.timeIntervalSince(start)))
            let schedule = RecountSchedule(after: progress, at: clock.now)
            let due = users.filter(schedule.includes)
            for user in due { recounts[user, default: 0] += 1 }
            most = max(most, due.count)
            progress = schedule.progress
        }
        #expect(users.allSatisfy { recounts[$0] == 1 })
        if interval == 86_400 { #expect(most < 500 / 7 * 3 / 2) }
    }
}

extension UUID {
    fileprivate static func random(using generator: inout SeededGenerator) -> UUID {
        let (high, low) = (
            UInt64.random(in: 0 ... .max, using: &generator), UInt64.random(in: 0 ... .max, using: &generator)
        )
        let bytes = withUnsafeBytes(of: (high, low)) { Array($0) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
