import NIOCore
import ObjectStorage
import PhotoCatalog

/// Finds the stored thumbnails of earlier versions, which have at most 256 pixels a side, by their first bytes, and makes
/// larger ones of previews. One request for each thumbnail that is examined.
struct ThumbnailRenewal: Sendable {
    let reader: PhotoReader
    let maker: any PictureMaker
    /// The folder of temporary files.
    let folder: String
    let pause: Backoff

    /// The version of what is found. Contents that were examined by another one are examined again.
    static let version = "thumbnails 512"
    /// The number of bytes that are read. Some tools write a color profile of 3 kB before the dimensions.
    private static let headLength: Int64 = 8 << 10
    /// The number of thumbnails that are read at the same time.
    private static let parallelFiles = 8
    /// The number of attempts for each of them.
    private static let attempts = 3
    /// The search stops when this many reads in a row fail at the store.
    private static let failuresInARow = 8

    /// The contents with small thumbnails, and how the search ended.
    struct Found: Sendable {
        var small: Set<ContentDigest> = []
        var ending = TransferEnding.completed
    }

    /// Finds the small thumbnails of which larger ones may be made, except of contents that were examined before.
    /// - Parameters:
    ///   - file: The file with the examined contents, which receives those whose thumbnails are not small.
    ///   - begin: Receives the number of thumbnails. It returns what is called for each one that was read.
    func find(
        in entries: CatalogEntries, _ stored: StoredPictures, examinedIn file: String,
        begin: (Int) -> @Sendable (LibraryPath, Int) -> Void
    ) async -> Found {
        guard !maker.isMissing else { return Found() }
        var examined = await ExaminedContents.load(file, version: Self.version)
        let photos = entries.indices.map { entries[$0] }.filter { entry in
            stored.thumbnails.contains(entry.md5) && !examined.contents.contains(entry.md5)
                && Self.isUseful(for: entry)
                && (maker.canMake(entry.type) || stored.previews.contains(entry.md5))
        }
        guard !photos.isEmpty else { return Found() }
        let found = await find(photos, &examined, report: begin(photos.count))
        await examined.save(to: file)
        return found
    }

    /// Records contents whose thumbnails were renewed.
    func record(_ renewed: Set<ContentDigest>, in file: String) async {
        var examined = await ExaminedContents.load(file, version: Self.version)
        examined.contents.formUnion(renewed)
        await examined.save(to: file)
    }

    /// Returns whether a photo may have a larger thumbnail, by what the catalog knows. Of RAW files these are often the
    /// dimensions of a small picture in the file.
    private static func isUseful(for photo: CatalogEntry) -> Bool {
        guard !photo.type.isRAW, let width = photo.media.width, let height = photo.media.height else { return true }
        return max(width, height) > Int32(Thumbnail.legacyEdge)
    }

    private func find(
        _ photos: [CatalogEntry], _ examined: inout ExaminedContents,
        report: @escaping @Sendable (LibraryPath, Int) -> Void
    ) async -> Found {
        var (found, streak) = (Found(), FailureStreak(limit: Self.failuresInARow))
        await withTaskGroup(of: (CatalogEntry, Result<Bool, ObjectStoreError>).self) { group in
            var (remaining, running, finished) = (photos[...], 0, 0)
            while true {
                while running < Self.parallelFiles, found.ending == .completed, !Task.isCancelled,
                    let photo = remaining.popFirst()
                {
                    group.addTask { (photo, await isSmall(photo.md5)) }
                    running += 1
                }
                guard let (photo, result) = await group.next() else { break }
                running -= 1
                switch result {
                case .success(let isSmall):
                    if isSmall { found.small.insert(photo.md5) } else { examined.contents.insert(photo.md5) }
                    streak.reset()
                case .failure(let error):
                    if Task.isCancelled { continue }
                    if let reason = streak.reasonToStop(after: error) { found.ending = .stopped(reason) }
                }
                finished += 1
                report(photo.path, finished)
            }
        }
        if found.ending == .completed {
            if Task.isCancelled {
                found.ending = .cancelled
            } else if let reason = await streak.reasonToStop(asking: reader.store, user: reader.user) {
                found.ending = .stopped(reason)
            }
        }
        return found
    }

    /// Returns whether a thumbnail is small, or has no dimensions in its first bytes.
    private func isSmall(_ photo: ContentDigest) async -> Result<Bool, ObjectStoreError> {
        var attempt = 1
        while true {
            do throws(ObjectStoreError) {
                let facts = try await MediaReading(head: head(of: photo), type: .jpeg).facts
                let longer = max(facts.width ?? 0, facts.height ?? 0)
                return .success(longer <= Int32(Thumbnail.legacyEdge))
            } catch {
                guard error.isTransient, attempt < Self.attempts, !Task.isCancelled else { return .failure(error) }
            }
            await pause.wait(attempt: attempt)
            attempt += 1
        }
    }

    /// Returns the first bytes of a thumbnail; none if it was removed.
    private func head(of photo: ContentDigest) async throws(ObjectStoreError) -> ByteBuffer {
        let key = PictureKind.thumbnail.key(of: photo, reader.user)
        var bytes = ByteBuffer()
        do {
            let range = ByteRange.closed(first: 0, last: Self.headLength - 1)
            guard let reading = try await reader.store.read(key, range: range) else { return bytes }
            for try await var piece in reading.body { bytes.writeBuffer(&piece) }
            return bytes
        } catch let error as ObjectStoreError {
            if case .rangeNotSatisfiable = error { return bytes }
            throw error
        } catch { throw .unavailable("\(error)") }
    }

    /// Makes the thumbnail of a photo of its stored preview.
    func pictures(of photo: ContentDigest) async throws(PreviewFillFailure) -> Pictures {
        let preview: ByteBuffer
        do throws(RestoreFailure) {
            guard let stored = try await reader.picture(.preview, of: photo) else { throw .notStored }
            preview = stored
        } catch { throw .original(error) }
        let file: PictureFile
        do throws(FileError) {
            file = try await PictureFile(of: photo, type: .jpeg, in: folder)
            try await file.write(preview, at: 0)
        } catch { throw .original(.file(error)) }
        let made: Result<Pictures, PreviewFillFailure>
        do throws(ThumbnailError) {
            made = .success(try await maker.pictures(of: file.path, type: .jpeg, preview: nil))
        } catch { made = .failure(.tool(error)) }
        await file.remove()
        return try made.get()
    }
}
