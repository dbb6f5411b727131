import ObjectStorage
import PhotoCatalog

/// Reads stored thumbnails, and previews if they are verified, and finds those to create again: damaged ones, and thumbnails
/// whose dimensions are not those of this version. One request for each picture.
struct StoredPictureCheck: Sendable {
    let reader: PhotoReader
    let maker: any PictureMaker
    let pause: Backoff
    /// Whether all pictures are read.
    let verifies: Bool
    /// The file with the thumbnails that were found usable, and the contents whose thumbnails were made again; `nil` if only
    /// damaged thumbnails are outdated.
    let renewals: String?

    /// The version of what is found. Thumbnails that were examined by another one are examined again.
    static let version = "thumbnails 512 by ETag"
    /// The number of pictures that are read at the same time.
    private static let parallelFiles = 8
    /// The number of attempts for each of them.
    private static let attempts = 3
    /// The search stops when this many reads in a row fail at the store.
    private static let failuresInARow = 8

    /// The contents with pictures to create again, and how the search ended.
    struct Found: Sendable {
        var outdated: Set<ContentDigest> = []
        var damagedPreviews: Set<ContentDigest> = []
        var ending = TransferEnding.completed
    }

    private struct Picture: Sendable {
        let photo: CatalogEntry
        let kind: PictureKind
    }

    /// Finds the pictures that can be created again here, except thumbnails that were found usable before and did not change
    /// since.
    /// - Parameter begin: Receives the number of pictures. It returns what is called for each one that was read.
    func find(
        in entries: CatalogEntries, _ stored: StoredPictures, begin: (Int) -> @Sendable (LibraryPath, Int) -> Void
    ) async -> Found {
        var examined = await examined()
        var pictures: [Picture] = []
        for photo in entries.indices.map({ entries[$0] }) {
            let (canMake, hasPreview) = (maker.canMake(photo.type), stored.previews.contains(photo.md5))
            if stored.thumbnails.contains(photo.md5), canMake || hasPreview,
                verifies || !(stored.versions[photo.md5].map { examined.contents.contains($0) } ?? false)
            {
                pictures.append(Picture(photo: photo, kind: .thumbnail))
            }
            if verifies, hasPreview, canMake { pictures.append(Picture(photo: photo, kind: .preview)) }
        }
        guard !pictures.isEmpty else { return Found() }
        let found = await find(pictures, stored, &examined, report: begin(pictures.count))
        if let renewals { await examined.save(to: renewals) }
        return found
    }

    /// Records contents whose thumbnails were created again, and the versions of these.
    func record(_ renewed: Set<ContentDigest>, _ versions: Set<ContentDigest>) async {
        guard let renewals else { return }
        var examined = await examined()
        examined.contents.formUnion(renewed)
        examined.contents.formUnion(versions)
        await examined.save(to: renewals)
    }

    private func examined() async -> ExaminedContents {
        guard let renewals else { return ExaminedContents(version: Self.version) }
        return await ExaminedContents.load(renewals, version: Self.version)
    }

    private func find(
        _ pictures: [Picture], _ stored: StoredPictures, _ examined: inout ExaminedContents,
        report: @escaping @Sendable (LibraryPath, Int) -> Void
    ) async -> Found {
        var (found, streak) = (Found(), FailureStreak(limit: Self.failuresInARow))
        await withTaskGroup(of: (Picture, Result<Int?, ObjectStoreError>).self) { group in
            var (remaining, running, finished) = (pictures[...], 0, 0)
            while true {
                while running < Self.parallelFiles, found.ending == .completed, !Task.isCancelled,
                    let picture = remaining.popFirst()
                {
                    group.addTask { (picture, await longerSide(of: picture)) }
                    running += 1
                }
                guard let (picture, result) = await group.next() else { break }
                running -= 1
                let md5 = picture.photo.md5
                switch result {
                case .success(let side):
                    streak.reset()
                    if picture.kind == .preview {
                        if side == nil { found.damagedPreviews.insert(md5) }
                    } else if side.map({ isOutdated($0, of: picture.photo, examined) }) ?? true {
                        found.outdated.insert(md5)
                    } else if let version = stored.versions[md5] {
                        examined.contents.insert(version)
                    }
                case .failure(let error):
                    if Task.isCancelled { continue }
                    if let reason = streak.reasonToStop(after: error) { found.ending = .stopped(reason) }
                }
                finished += 1
                report(picture.photo.path, finished)
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

    /// Returns whether a thumbnail has other dimensions than a new one. A small one that this device has made again is as large
    /// as the photo allows, as of RAW files with a small picture.
    private func isOutdated(_ side: Int, of photo: CatalogEntry, _ examined: ExaminedContents) -> Bool {
        guard renewals != nil, side <= Thumbnail.longestEdge else { return renewals != nil }
        return side <= Thumbnail.legacyEdge && Self.mayBeLarger(photo) && !examined.contents.contains(photo.md5)
    }

    /// Returns whether a photo may have a larger thumbnail, by what the catalog knows. Of RAW files these are often the
    /// dimensions of a small picture in the file.
    private static func mayBeLarger(_ photo: CatalogEntry) -> Bool {
        guard !photo.type.isRAW, let width = photo.media.width, let height = photo.media.height else { return true }
        return max(width, height) > Int32(Thumbnail.legacyEdge)
    }

    /// Returns the longer side of a picture in pixels; `nil` if it is damaged or was removed.
    private func longerSide(of picture: Picture) async -> Result<Int?, ObjectStoreError> {
        let kind = picture.kind
        let key = kind.key(of: picture.photo.md5, reader.user)
        var attempt = 1
        while true {
            do throws(ObjectStoreError) {
                let object = try await reader.store.get(key, limit: kind.sizeLimit)
                return .success(object.flatMap { kind.longerSide(of: $0.bytes) })
            } catch {
                switch error {
                case .tooLarge, .corrupted: return .success(nil)
                default: break
                }
                guard error.isTransient, attempt < Self.attempts, !Task.isCancelled else { return .failure(error) }
            }
            await pause.wait(attempt: attempt)
            attempt += 1
        }
    }
}
