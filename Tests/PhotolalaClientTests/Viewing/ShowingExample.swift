import Foundation
import PhotolalaAPI
import PhotolalaClient

/// The example of the article “Showing photos”, which `ShowingPhotosTests` compares with it.
struct ShowingExample {
    func library(
        session: PhotolalaSession, profile: ProfileDirectory, network: PhotolalaNetwork, caches: URL
    ) throws(PhotolalaError) -> PhotolalaLibrary {
        let cache = try PhotoCache(folder: caches.appendingPathComponent("photos"), maximumBytes: 500_000_000)
        let library = PhotolalaLibrary(session: session, profile: profile, network: network, cache: cache)
        return library
    }

    func fill(
        _ library: PhotolalaLibrary, _ show: (Data?, LibraryPhoto) -> Void
    ) async throws(PhotolalaError) {
        for try await page in library.photos(pageSize: 200) {
            let prefetch = library.prefetchThumbnails(for: page.photos)
            for photo in page.photos {
                show(try await library.thumbnail(for: photo), photo)
            }
            prefetch.cancel()
        }
    }

    func open(
        _ photo: LibraryPhoto, in library: PhotolalaLibrary, _ play: (LibraryPhoto) -> Void,
        _ offerRecall: (LibraryPhoto) -> Void
    ) async throws(PhotolalaError) -> CachedOriginal? {
        do throws(PhotolalaError) {
            return try await library.original(for: photo)
        } catch {
            switch error.code {
            case .photoArchived: offerRecall(photo)
            case .cacheTooSmall: play(photo)
            default: throw error
            }
            return nil
        }
    }

    func bytes(
        of video: LibraryPhoto, at offset: Int64, in library: PhotolalaLibrary
    ) async throws(PhotolalaError) -> Data {
        return try await library.data(for: video, range: offset..<offset + 1_000_000)
    }
}
