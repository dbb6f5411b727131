import PhotoCatalog

/// Pages of a library's photos, from ``PhotolalaLibrary/photos(where:listing:order:reversed:pageSize:)``.
///
/// ```swift
/// for try await page in library.photos(pageSize: 200) {
///     grid.append(page.photos)
/// }
/// ```
///
/// Each iteration reads the newest version of the catalog once, before its first page, and returns the pages of that
/// version: changes during the iteration neither repeat nor skip a photo. It keeps the whole catalog in memory until it
/// ends, about 160 MB for one million files, and a page has only its own photos. Iterate again for a newer version; an
/// unchanged catalog costs one small request.
public struct PhotoPages: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = PhotoPage
    /// The error of the first page; later pages do not fail, except that a cancelled task gets `cancelled`.
    public typealias Failure = PhotolalaError

    let pageSize: Int
    let read: @Sendable () async throws(PhotolalaError) -> LibraryPhotos

    /// Returns an iterator that reads the catalog before its first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }

    /// Iterates over the pages of one version of the catalog.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let pages: PhotoPages
        private var photos: LibraryPhotos?
        private var next = 0

        init(pages: PhotoPages) { self.pages = pages }

        /// Returns the next page, or `nil` after the last one.
        /// - Throws: `invalidRequest` for a page size below 1, `cancelled`, and the errors of reading the catalog.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PhotolalaError) -> PhotoPage? {
            guard !Task.isCancelled else { throw .cancelled }
            guard pages.pageSize > 0 else {
                throw PhotolalaError(code: .invalidRequest, detail: "A page must have at least one photo.")
            }
            let photos: LibraryPhotos
            if let known = self.photos { photos = known } else { photos = try await pages.read() }
            self.photos = photos
            guard next < photos.endIndex else { return nil }
            let range = next..<next + Swift.min(pages.pageSize, photos.endIndex - next)
            next = range.upperBound
            return PhotoPage(photos: Array(photos[range]), offset: range.lowerBound, totalCount: photos.count)
        }

        /// Returns the next page, or `nil` after the last one.
        /// - Throws: `invalidRequest` for a page size below 1, `cancelled`, and the errors of reading the catalog.
        public mutating func next() async throws(PhotolalaError) -> PhotoPage? { try await next(isolation: nil) }
    }
}

/// Some consecutive photos of a list.
public struct PhotoPage: Sendable, Equatable {
    /// The photos: as many as requested, except on the last page.
    public let photos: [LibraryPhoto]
    /// The number of photos before this page.
    public let offset: Int
    /// The number of photos on all pages.
    public let totalCount: Int
}

/// The contents of a list of photos.
public enum PhotoListing: Sendable {
    /// Each photo once, by its first path: without sidecars, without companions of other files in the list, such as the
    /// video of a Live Photo, and without other paths of the same content.
    case photos
    /// Every file.
    case files
}

extension PhotolalaLibrary {
    /// Returns the library's photos in pages, by default like the web pages: each photo once, newest first.
    /// - Parameters:
    ///   - filter: The photos to list. A missing path is the error `notFound` of the first page.
    ///   - listing: Whether the files that belong to a photo are listed, too.
    ///   - order: The sort key. Photos that compare equal are ordered by path.
    ///   - reversed: Whether the order is descending.
    ///   - pageSize: The number of photos on a page, at least 1.
    public func photos(
        where filter: PhotoFilter = PhotoFilter(), listing: PhotoListing = .photos, order: PhotoOrder = .date,
        reversed: Bool = true, pageSize: Int
    ) -> PhotoPages {
        PhotoPages(pageSize: pageSize) { () async throws(PhotolalaError) in
            let files = try await photos(where: filter)
            return (listing == .photos ? files.withoutDuplicates : files).ordered(by: order, reversed: reversed)
        }
    }
}
