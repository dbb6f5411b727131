import NIOCore
import ObjectStorage

extension CatalogStore {
    /// The number of catalog files read in parallel.
    private static let parallelFiles = 6
    /// The largest depth of nested parts.
    private static let depth = 8

    /// Returns whether loading a catalog is faster than asking the store for contents: it is at most 16 MiB long, and
    /// at most 384 KiB of it must be fetched.
    package func isSmall(_ head: CatalogHead) async -> Bool {
        guard head.bytes <= 16 << 20 else { return false }
        var missing: Int64 = 0
        for part in head.file.parts where !(await cache?.has(part.digest) ?? false) { missing += part.size }
        return missing <= 384 << 10
    }

    /// Loads the newest catalog with all parts.
    package func load() async throws(CatalogError) -> Version { try await load(try await head()) }

    /// Returns whether nothing was committed since a catalog was read. One request.
    package func isNewest(_ known: Version) async throws(CatalogError) -> Bool {
        guard let snapshot = known.head.snapshot, let tag = known.head.pointer, let pointer = try await readPointer()
        else { return false }
        return pointer == (snapshot, tag)
    }

    /// Returns the newest catalog, reading only what is new.
    /// - Throws: `tooLarge` also if the catalog has grown beyond the limit for a full load.
    package func newest(after known: Version) async throws(CatalogError) -> Version {
        if try await isNewest(known) { return known }
        let newest = try await refreshed(known, to: try await head())
        // An entry takes at most this factor more memory than bytes in a file.
        guard Int64(newest.catalog.bytesInMemory) / 4 <= sizes.readable else { throw .tooLarge }
        return newest
    }

    /// Ends a purge that broke off and returns the catalog afterwards, for operations that rely on stored contents.
    package func endingAbandonedPurge(_ version: Version) async throws(CatalogError) -> Version {
        guard version.head.file.purge?.until != nil else { return version }
        return try await refreshed(version, to: try await endingAbandonedPurge(version.head))
    }

    /// Loads a snapshot with all its parts. Removes other files from the cache.
    package func load(_ head: CatalogHead) async throws(CatalogError) -> Version {
        let (catalog, parts) = try await loadAll(head.file)
        await cache?.keepOnly(parts.union(head.snapshot.map { [$0] } ?? []))
        await cache?.write(.pointer, head.snapshot.map { ByteBuffer(string: $0.description) })
        return Version(catalog: catalog, head: head, parts: parts)
    }

    /// Loads a snapshot, reading only the parts that an earlier version of the catalog does not include.
    package func refreshed(_ version: Version, to head: CatalogHead) async throws(CatalogError) -> Version {
        guard head.generation == version.head.generation else { return try await load(head) }
        // Without a pointer each head has its own generation.
        if head.snapshot == version.head.snapshot {
            return Version(catalog: version.catalog, head: head, parts: version.parts)
        }
        let (news, parts) = try await loadAll(head.file, known: version.parts)
        var catalog = version.catalog
        catalog.join(news)
        return Version(catalog: catalog, head: head, parts: parts.union(version.parts))
    }

    /// Returns the entries of a file and of its parts, except for known parts. A missing or damaged part is an error,
    /// never an empty part.
    func loadAll(
        _ file: CatalogFile, known: Set<ContentDigest> = []
    ) async throws(CatalogError) -> (catalog: Catalog, parts: Set<ContentDigest>) {
        var (catalogs, parts) = ([file.rows], Set<ContentDigest>())
        var (next, bytes) = (file.parts, Int64(0))
        var rows = file.rows.records.count
        for _ in 0..<Self.depth where !next.isEmpty {
            let missing = next.filter { parts.insert($0.digest).inserted && !known.contains($0.digest) }
            bytes += missing.reduce(0) { $0 + $1.size }
            guard parts.count <= sizes.parts, bytes <= sizes.readable else { throw .tooLarge }
            let found = try await readParts(missing, rowLimit: CatalogCSV.entryLimit - rows)
            rows += found.reduce(0) { $0 + $1.rows.records.count }
            catalogs += found.map(\.rows)
            next = found.flatMap(\.parts)
        }
        guard next.allSatisfy({ parts.contains($0.digest) }) else { throw .tooLarge }
        return (Catalog.join(of: catalogs), parts)
    }

    /// - Parameter rowLimit: The largest number of rows in all parts together; reading stops as soon as it is exceeded.
    func readParts(
        _ parts: [CatalogPart], rowLimit: Int = CatalogCSV.entryLimit
    ) async throws(CatalogError) -> [CatalogFile] {
        let result = await withTaskGroup(of: Result<CatalogFile, CatalogError>.self) {
            group -> Result<[CatalogFile], CatalogError> in
            var (remaining, running, files) = (parts[...], 0, [CatalogFile]())
            var rows = 0
            while true {
                while running < Self.parallelFiles, let part = remaining.popFirst() {
                    group.addTask { await self.result(of: part) }
                    running += 1
                }
                guard let result = await group.next() else { return .success(files) }
                running -= 1
                switch result {
                case .success(let file):
                    files.append(file)
                    rows += file.rows.records.count
                    guard rows <= rowLimit else {
                        group.cancelAll()
                        return .failure(.tooLarge)
                    }
                case .failure(let error):
                    group.cancelAll()
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    private func result(of part: CatalogPart) async -> Result<CatalogFile, CatalogError> {
        do throws(CatalogError) {
            guard let file = try await readFile(part.digest, size: part.size) else {
                throw .snapshotMissing(part.digest)
            }
            return .success(file)
        } catch {
            return .failure(error)
        }
    }
}
