import PhotoCatalog
import PhotolalaAPI

/// A library for apps that read it by the API and not by its catalog.
extension LibraryService {
    /// Returns photos of the caller's library, newest first, with signed addresses of their thumbnails.
    /// - Parameters:
    ///   - version: The version of an earlier page, which is returned while it is known, else the newest one.
    /// - Throws: The errors of `showLibrary`.
    package func page(
        of list: PhotoList, from first: Int, limit: Int, version: String?, caller: Caller
    ) async throws(ServiceError) -> PhotoPage {
        guard first >= 0 else { throw .invalidRequest("from must not be negative.") }
        guard (1...PhotoPage.maximumLength).contains(limit) else {
            throw .invalidRequest("limit must be from 1 to \(PhotoPage.maximumLength).")
        }
        let library = try await library(caller, version)
        let photos = library.timeline(list).photos
        let end = min(photos.count, first.addingReportingOverflow(limit).partialValue)
        let shown = first < photos.count ? (first..<end).map { photos[$0] } : []
        return PhotoPage(
            version: library.name, count: photos.count, photos: try await listed(shown, caller: caller),
            next: first < photos.count && end < photos.count ? end : nil)
    }

    /// Returns a file of the caller's library, else of the trash, with the signed addresses of its original and preview:
    /// also one that is not listed because it belongs to a photo. The version that pages show stays the same.
    /// - Throws: `notFound`; the errors of `showLibrary`.
    package func original(md5 text: String, caller: Caller) async throws(ServiceError) -> PhotoOriginal {
        guard let md5 = ContentDigest(text) else {
            throw .invalidRequest("md5 must be 32 lower-case hex digits.")
        }
        guard let entry = try await currentCatalog(caller).firstEntry(of: md5),
            let photo = try await listed([entry], caller: caller).first,
            case let urls = try await presignedURLs([.original(entry), .preview(md5)], caller: caller).urls,
            urls.count == 2
        else { throw .notFound }
        return PhotoOriginal(photo: photo, url: urls[0], previewURL: urls[1])
    }

    /// Returns the caller's newest catalog. One request if it is cached and has not changed.
    private func currentCatalog(_ caller: Caller) async throws(ServiceError) -> Catalog {
        if let known = libraries.cache.library(of: caller.user)?.newest {
            let catalogs = try await catalogs(of: caller)
            if try await mapServiceErrors({ try await catalogs.isNewest(known) }) { return known.catalog }
        }
        return try await newestCatalog(caller)
    }

    private func library(_ caller: Caller, _ version: String?) async throws(ServiceError) -> OpenLibrary {
        guard let version else { return try await showLibrary(caller) }
        do throws(ServiceError) { return try await shownVersion(caller, named: version) } catch {
            guard error == .preconditionFailed else { throw error }
            return try await showLibrary(caller)
        }
    }

    private func listed(_ entries: [CatalogEntry], caller: Caller) async throws(ServiceError) -> [ListedPhoto] {
        guard !entries.isEmpty else { return [] }
        let links = try await presignedURLs(entries.map { .thumbnail($0.md5) }, caller: caller)
        let favorites = try? (try await marks(\.favorites, caller)).get()
        libraries.store(favorites, as: \.favorites, of: caller.user)
        return zip(entries, links.urls).map { entry, url in
            ListedPhoto(
                md5: "\(entry.md5)", path: "\(entry.path)", size: entry.size, type: "\(entry.type)",
                date: entry.dateText, width: entry.media.width.map(Int.init), height: entry.media.height.map(Int.init),
                orientation: entry.media.orientation.map(Int.init), latitude: entry.media.location?.latitude,
                longitude: entry.media.location?.longitude, color: entry.media.color?.description,
                durationMilliseconds: entry.media.duration.map { Int64($0.milliseconds) },
                camera: entry.media.camera?.description, isFavorite: favorites?.document.contains(entry.md5),
                thumbnailURL: url)
        }
    }
}

extension OpenLibrary {
    /// Returns a part of the library.
    package func timeline(_ list: PhotoList) -> Timeline {
        switch list {
        case .photos: photos
        case .trash: trash
        }
    }

    /// Returns photos of a part of the library, with the files that belong to them.
    package func files(of photos: Set<ContentDigest>, in list: PhotoList) -> [CatalogEntry] {
        Array(timeline(list).photos(photos).completed(from: entries(list)))
    }

    /// Returns the video of a Live Photo that is not in the trash.
    package func liveVideo(of picture: CatalogEntry) -> CatalogEntry? { entries.liveVideo(of: picture) }

    /// Returns the files of a part of the library.
    func entries(_ list: PhotoList) -> CatalogEntries {
        switch list {
        case .photos: entries
        case .trash: version.catalog.trash
        }
    }
}
