import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Testing

@testable import DirectoryStorage

/// The entries of a cache over a header that the test changes, as commits do.
@Suite struct RowCacheTests {
    /// A header in shared memory. Its third 32-bit number counts the commits.
    private final class Log {
        private let memory = UnsafeMutablePointer<LogIndexHeader>.allocate(capacity: 1)
        let cache: RowCache

        init() {
            UnsafeMutableRawPointer(memory).initializeMemory(as: UInt64.self, repeating: 0, count: 6)
            cache = RowCache(LogIndexHeader.Address(header: memory), .accounts)
        }

        deinit { memory.deallocate() }

        func commit(_ count: UInt32 = 1) {
            let header = UnsafeMutableRawPointer(memory)
            let commits = header.load(fromByteOffset: 8, as: UInt32.self)
            header.storeBytes(of: commits &+ count, toByteOffset: 8, as: UInt32.self)
        }

        /// A new log after a checkpoint: another salt, the same commits.
        func restart() { UnsafeMutableRawPointer(memory).storeBytes(of: 7, toByteOffset: 32, as: UInt32.self) }

        /// Reads a row as an index does, and returns the cache's answer before.
        @discardableResult
        func read(_ name: String, _ text: String?) -> ObjectRow?? {
            switch cache.row(key(name)) {
            case .found(let row): return .some(row)
            case .unknown(let header):
                cache.insert(text.map(row), at: key(name), readAfter: header)
                return .none
            }
        }

        func list(_ prefix: String, _ names: String...) -> [String]? {
            switch cache.page(below: prefix) {
            case .found(let page): return page.objects.map(\.key.description)
            case .unknown(let header):
                let objects = names.map { name in
                    ListedObject(key: key(name), etag: ETag("e"), size: 1, lastModified: Date(timeIntervalSince1970: 0))
                }
                cache.insert(ObjectPage(objects: objects, isTruncated: false), below: prefix, readAfter: header)
                return nil
            }
        }

        func totals(_ prefixes: String..., are bytes: [Int64] = []) -> [Int64]? {
            switch cache.totals(below: prefixes) {
            case .found(let totals): return totals.map(\.bytes)
            case .unknown(let header):
                let totals = bytes.map { ObjectTotals(bytes: $0, objects: 1) }
                cache.insert(totals, below: prefixes, readAfter: header)
                return nil
            }
        }

        func key(_ name: String) -> ObjectKey { ObjectKey(known: name) }

        func row(_ text: String) -> ObjectRow {
            let bytes = ByteBuffer(string: text)
            let info = ObjectInfo(
                etag: RowBytes.etag(of: bytes), size: Int64(text.utf8.count),
                lastModified: Date(timeIntervalSince1970: 0), attributes: [:])
            return ObjectRow(info: info, location: .row(bytes))
        }
    }

    @Test("a row that was read, or its absence, is known until another process commits")
    func otherProcess() {
        let log = Log()
        for (name, text) in [("accounts/a", "1"), ("accounts/b", nil)] as [(String, String?)] {
            log.read(name, text)
            #expect(log.read(name, nil) == .some(text.map(log.row)))
        }
        log.commit()
        for name in ["accounts/a", "accounts/b"] { #expect(log.read(name, "2") == .none) }
        #expect(log.read("accounts/b", nil) == .some(log.row("2")))
    }

    @Test("a row that was read before a commit is not kept")
    func readBeforeCommit() {
        let log = Log()
        guard case .unknown(let header) = log.cache.row(log.key("accounts/a")) else { return #expect(Bool(false)) }
        log.commit()
        log.cache.insert(log.row("old"), at: log.key("accounts/a"), readAfter: header)
        #expect(log.read("accounts/a", "new") == .none)
    }

    @Test("a commit of this process replaces its rows, also where it starts a new log")
    func ownCommit() {
        let log = Log()
        for name in ["accounts/a", "accounts/b", "accounts/c"] { log.read(name, "1") }
        log.cache.willCommit()
        log.restart()
        log.commit()
        log.cache.didCommit([
            .put(log.key("accounts/a"), log.row("2"), if: .always), .delete(log.key("accounts/b"), if: .always),
            .put(log.key("accounts/d"), log.row("4"), if: .absent),
        ])
        #expect(log.read("accounts/a", nil) == .some(log.row("2")))
        #expect(log.read("accounts/b", "9") == .some(nil))
        #expect(log.read("accounts/c", nil) == .some(log.row("1")))
        #expect(log.read("accounts/d", nil) == .some(log.row("4")))
    }

    @Test("nothing is kept after a commit of unknown outcome or one beside that of another process")
    func unknownOutcome() {
        for (commits, changes) in [(UInt32(1), nil), (2, []), (0, nil)] as [(UInt32, [RowChange]?)] {
            let log = Log()
            log.read("accounts/a", "1")
            log.cache.willCommit()
            log.commit(commits)
            log.cache.didCommit(changes)
            #expect(log.read("accounts/a", "2") == .none)
        }
        let log = Log()
        log.read("accounts/a", "1")
        log.commit()
        log.cache.willCommit()
        log.commit()
        log.cache.didCommit([.put(log.key("accounts/b"), log.row("2"), if: .always)])
        for name in ["accounts/a", "accounts/b"] { #expect(log.read(name, "3") == .none) }
    }

    @Test("rows are known while a commit is prepared, unknown while it ends, and known again after it")
    func duringCommit() {
        let log = Log()
        log.read("accounts/a", "1")
        log.cache.willCommit()
        log.read("accounts/b", "1")
        for name in ["accounts/a", "accounts/b"] { #expect(log.read(name, nil) == .some(log.row("1"))) }
        log.commit()
        // What is read now may be before or after the changes that the cache has yet to learn.
        for _ in 0..<2 { #expect(log.read("accounts/a", "2") == .none) }
        log.cache.didCommit([.put(log.key("accounts/b"), log.row("2"), if: .always)])
        #expect(log.read("accounts/a", nil) == .some(log.row("1")))
        #expect(log.read("accounts/b", nil) == .some(log.row("2")))
    }

    @Test("a change that changes no row keeps the entries")
    func noChange() {
        let log = Log()
        log.read("accounts/a", "1")
        log.cache.willCommit()
        log.cache.didCommit([.delete(log.key("accounts/b"), if: .always)], isCommit: false)
        #expect(log.read("accounts/a", nil) == .some(log.row("1")))
        // Another process commits between the end of the transaction and the call.
        log.cache.willCommit()
        log.commit()
        log.cache.didCommit([], isCommit: false)
        #expect(log.read("accounts/a", "2") == .none)
    }

    @Test("prefixes and keys are compared by bytes")
    func bytes() {
        let log = Log()
        // A combining accent after the slash, and two encodings of é.
        _ = log.list("photos/u/", "photos/u/a")
        _ = log.list("photos/\u{e9}/", "photos/\u{e9}/a")
        #expect(log.list("photos/e\u{301}/") == nil)
        log.cache.willCommit()
        log.commit()
        log.cache.didCommit([.put(log.key("photos/u/\u{301}x"), log.row("2"), if: .absent)])
        #expect(log.list("photos/u/") == nil)
        #expect(log.list("photos/\u{e9}/") == ["photos/\u{e9}/a"])
    }

    @Test("a listing is known until an object below its prefix changes")
    func listings() {
        let log = Log()
        _ = log.list("accounts/a/devices/", "accounts/a/devices/1")
        _ = log.list("accounts/b/devices/", "accounts/b/devices/1")
        _ = log.list("accounts/", "accounts/a/devices/1", "accounts/b/devices/1")
        log.cache.willCommit()
        log.commit()
        log.cache.didCommit([.put(log.key("accounts/a/devices/2"), log.row("2"), if: .absent)])
        #expect(log.list("accounts/b/devices/") == ["accounts/b/devices/1"])
        #expect(log.list("accounts/a/devices/") == nil)
        #expect(log.list("accounts/") == nil)
        log.cache.willCommit()
        log.commit()
        log.cache.didCommit([.delete(log.key("accounts/b/devices/1"), if: .always)])
        #expect(log.list("accounts/b/devices/") == nil)
        log.commit()
        #expect(log.list("accounts/b/devices/") == nil)
    }

    @Test("totals are known until an object below one of their prefixes changes")
    func totals() {
        let log = Log()
        _ = log.totals("photos/a/", "users/a/", are: [1, 2])
        _ = log.totals("photos/b/", are: [3])
        #expect(log.totals("users/a/", "photos/b/") == [2, 3])
        log.cache.willCommit()
        log.commit()
        log.cache.didCommit([.put(log.key("photos/a/x.dat"), log.row("2"), if: .absent)])
        #expect(log.totals("users/a/") == [2])
        #expect(log.totals("photos/a/", "users/a/", are: [4, 2]) == nil)
        #expect(log.totals("photos/a/") == [4])
        log.commit()
        #expect(log.totals("photos/b/") == nil)
    }

    @Test("large rows and truncated listings are not kept")
    func large() {
        let log = Log()
        let large = String(repeating: "x", count: (64 << 10) + 1)
        for _ in 0..<2 { #expect(log.read("accounts/a", large) == .none) }
        log.read("accounts/b", "1")
        log.cache.willCommit()
        log.commit()
        log.cache.didCommit([.put(log.key("accounts/b"), log.row(large), if: .always)])
        #expect(log.read("accounts/b", nil) == .none)
        guard case .unknown(let header) = log.cache.page(below: "accounts/") else { return #expect(Bool(false)) }
        log.cache.insert(ObjectPage(objects: [], isTruncated: true), below: "accounts/", readAfter: header)
        #expect(log.list("accounts/") == nil)
    }

    @Test("a closed cache knows nothing and reads no header")
    func closed() {
        let log = Log()
        log.read("accounts/a", "1")
        log.cache.close()
        for _ in 0..<2 { #expect(log.read("accounts/a", "1") == .none) }
        log.cache.willCommit()
        log.cache.didCommit([.put(log.key("accounts/a"), log.row("2"), if: .always)])
        #expect(log.read("accounts/a", "1") == .none)
    }

    @Test("two stores on one folder return what a dictionary returns", arguments: UInt64(1)...8)
    func model(seed: UInt64) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { one in
                try await fixture.withStore { other in try await walk([one, other], seed) }
            }
        }
    }

    /// Makes calls at random, and compares each answer with a dictionary.
    private func walk(_ stores: [DirectoryObjectStore], _ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let user = "0b5e7b6c-32f4-4a52-9a43-0c5f2a3b4c5d"
        let folders = ["accounts/a/devices/", "accounts/b/devices/", "photos/\(user)/"]
        var expected: [String: String] = [:]
        for step in 0..<150 {
            let store = stores[Int.random(in: 0..<2, using: &random)]
            let folder = folders.randomElement(using: &random) ?? folders[0]
            let name = "\(folder)\(Int.random(in: 0..<4, using: &random))"
            let key = ObjectKey(known: name)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<2:
                try await store.put(key, ByteBuffer(string: "\(step)"), if: .always)
                expected[name] = "\(step)"
            case 2:
                try await store.delete(key, if: .always)
                expected[name] = nil
            case 3:
                let error = await failure { () throws(ObjectStoreError) in
                    try await store.put(key, ByteBuffer(string: "\(step)"), if: .absent)
                }
                #expect(error == (expected[name] == nil ? nil : .preconditionFailed))
                if error == nil { expected[name] = "\(step)" }
            case 4..<6:
                let found = try await store.list(prefix: folder, after: nil, limit: 100).objects.map(\.key.description)
                #expect(found == expected.keys.filter { $0.hasPrefix(folder) }.sorted())
            case 6:
                let totals = try await store.totals(below: folders)
                for folder in folders {
                    let count = expected.keys.count { $0.hasPrefix(folder) }
                    #expect(totals[folder]?.objects ?? 0 == (folder == "photos/\(user)/" ? Int64(count) : 0))
                }
            case 7: try await expect(store.head(key) != nil, is: expected[name] != nil)
            default: try await expect(store.get(key).map { String(buffer: $0.bytes) }, is: expected[name])
            }
        }
    }
}
