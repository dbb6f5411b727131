import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Secrets

/// Commits of 100 added photos each to a library of a given length, by devices without a local catalog.
struct AddedPhotos {
    private let catalogs: CatalogStore
    private var added = 0

    init() throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 1_700_000_000) }
        let pause = Backoff(randomness: .system) { try? await Task.sleep(for: $0) }
        catalogs = CatalogStore(store: store, user: UserID(uuid: Randomness.system.uuid()), pause: pause)
    }

    /// Returns the CPU seconds of each commit to a library of the given length.
    mutating func measure(entries: Int, commits: Int) async throws -> [Double] {
        while added < entries { try await add(20_000) }
        var costs: [Double] = []
        for _ in 0..<commits {
            let before = Self.cpu()
            try await add(100)
            costs.append(Self.cpu() - before)
        }
        return costs
    }

    private mutating func add(_ count: Int) async throws {
        let changes = (added..<added + count).compactMap { Self.change($0) }
        added += count
        _ = try await catalogs.commit(changes, onto: try await catalogs.head())
    }

    private static func change(_ number: Int) -> CatalogChange? {
        // Spreads the photos over the library's paths.
        guard let path = LibraryPath(String(format: "%04d/IMG_%08d.jpg", number % 1000, number)),
            let md5 = ContentDigest(String(format: "%032lx", number)), let type = MediaType("image/jpeg")
        else { return nil }
        let date = Timestamp(seconds: Int64(number), nanoseconds: 0)
        return .add(
            CatalogEntry(
                path: path, md5: md5, size: 1, modified: date, type: type, media: MediaFacts(taken: CaptureDate(date))),
            replacing: nil)
    }

    private static func cpu() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
