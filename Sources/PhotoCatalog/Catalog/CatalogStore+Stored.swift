import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    /// The number of parallel requests for contents.
    private static let parallelRequests = 8

    /// Above this number of contents, all are listed instead of checked one by one.
    private static let headRequestLimit = 1000

    /// Returns those contents that the store does not have. A damaged object counts as stored: uploading it again
    /// repairs it.
    func missing(_ contents: Set<ContentDigest>) async throws(CatalogError) -> Set<ContentDigest> {
        if contents.count > Self.headRequestLimit { return try await missingByListing(contents) }
        var missing: Set<ContentDigest> = []
        let outcomes = await Self.concurrentMap(
            contents.sorted(), isMissing,
            until: { outcome in
                if case .failure = outcome { true } else { false }
            })
        for (md5, outcome) in outcomes {
            do {
                if try outcome.get() { missing.insert(md5) }
            } catch { throw .store(error) }
        }
        guard outcomes.count == contents.count else { throw .store(.unavailable("cancelled")) }
        return missing
    }

    private func missingByListing(_ contents: Set<ContentDigest>) async throws(CatalogError) -> Set<ContentDigest> {
        var missing = contents
        let prefix = StorageLayout.photos(user)
        var after: String?
        while true {
            let page: ObjectPage
            do { page = try await store.list(prefix: prefix, after: after, limit: 1000) } catch { throw .store(error) }
            for object in page.objects {
                let name = object.key.description.dropFirst(prefix.count)
                if name.hasSuffix(".dat"), let md5 = ContentDigest(name.dropLast(4)) { missing.remove(md5) }
            }
            guard page.isTruncated, let last = page.objects.last else { return missing }
            after = last.key.description
        }
    }

    @Sendable private func isMissing(_ md5: ContentDigest) async -> Result<Bool, ObjectStoreError> {
        do throws(ObjectStoreError) {
            return .success(try await store.head(ObjectKey(known: StorageLayout.photo(user, md5: "\(md5)"))) == nil)
        } catch {
            if case .corrupted = error { return .success(false) }
            return .failure(error)
        }
    }

    /// Runs work for each content, several at a time, until the task is cancelled.
    /// - Parameter isLast: Returns whether no further work is started after an outcome.
    static func concurrentMap<Value: Sendable>(
        _ contents: [ContentDigest], _ work: @escaping @Sendable (ContentDigest) async -> Value,
        until isLast: (Value) -> Bool = { _ in false }
    ) async -> [(ContentDigest, Value)] {
        await withTaskGroup(of: (ContentDigest, Value).self) { group in
            var (remaining, running, isOver) = (contents[...], 0, false)
            var outcomes: [(ContentDigest, Value)] = []
            while true {
                while running < parallelRequests, !isOver, !Task.isCancelled, let md5 = remaining.popFirst() {
                    group.addTask { (md5, await work(md5)) }
                    running += 1
                }
                guard let outcome = await group.next() else { return outcomes }
                running -= 1
                isOver = isOver || isLast(outcome.1)
                outcomes.append(outcome)
            }
        }
    }
}
