import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// A call of the upload script.
protocol UploadRequestBody: Decodable {
    /// The token of the page's forms.
    var formToken: String { get }
    var count: Int { get }
}

/// The export of another service from which a photo is.
enum UploadSource: String, Decodable {
    /// An export of Google Photos.
    case takeout

    /// The folder of the library, which is that of the command line's imports.
    var folder: String {
        switch self {
        case .takeout: "Google Photos"
        }
    }
}

struct OfferedPhotos: UploadRequestBody {
    struct Photo: Decodable {
        struct Picture: Decodable {
            let md5: String
            let size: Int64

            func offer() throws(ServiceError) -> OfferedPicture {
                guard let md5 = ContentDigest(md5), size > 0 else {
                    throw .invalidRequest("invalid MD5 or size of a picture")
                }
                return OfferedPicture(md5: md5, size: size)
            }
        }

        /// The path relative to the upload folder, or to that of the source.
        let path: String
        let source: UploadSource?
        let md5: String
        let size: Int64
        /// The first 4,096 bytes, or the whole file if it is shorter.
        let head: Data
        let thumbnail: Picture?
        let preview: Picture?

        /// - Returns: The offer, or `nil` for a name that a library cannot have.
        /// - Throws: `invalidRequest` for values that our script never sends.
        func offer(in folder: String) throws(ServiceError) -> OfferedPhoto? {
            guard let md5 = ContentDigest(md5), size > 0 else {
                throw .invalidRequest("invalid MD5 or size of a photo")
            }
            guard let path = LibraryPath("\(source?.folder ?? folder)/\(path)") else { return nil }
            return OfferedPhoto(
                path: path, md5: md5, size: size, head: ByteBuffer(bytes: head),
                thumbnail: try thumbnail?.offer(), preview: try preview?.offer())
        }
    }

    let formToken: String
    let photos: [Photo]
    var count: Int { photos.count }
}

struct SentPhotos: UploadRequestBody {
    struct Photo: Decodable {
        struct Location: Decodable {
            let latitude: Double
            let longitude: Double
        }

        let path: String
        let source: UploadSource?
        let md5: String
        /// The file's modification date, in milliseconds since 1970.
        let modified: Int64
        /// What the source says about a photo whose file has no date or location. The date is in RFC 3339.
        let taken: String?
        let location: Location?
        /// Whether it is a favorite in the source.
        let favorite: Bool?

        func arrival(in folder: String) throws(ServiceError) -> UploadedPhoto {
            guard let path = LibraryPath("\(source?.folder ?? folder)/\(path)"), let md5 = ContentDigest(md5)
            else {
                throw .invalidRequest("invalid path or MD5 of an uploaded photo")
            }
            let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1000)
            return UploadedPhoto(
                path: path, md5: md5,
                modified: Timestamp(
                    seconds: rest < 0 ? seconds - 1 : seconds, nanoseconds: (rest + (rest < 0 ? 1000 : 0)) * 1_000_000),
                taken: taken.flatMap { CaptureDate($0) },
                location: location.flatMap { GeoLocation(latitude: $0.latitude, longitude: $0.longitude) })
        }
    }

    let formToken: String
    let photos: [Photo]
    var count: Int { photos.count }
}

struct FilledAlbums: UploadRequestBody {
    let formToken: String
    /// The folders of albums, relative to the folder of an export of Google Photos.
    let albums: [String]
    var count: Int { albums.count }

    /// - Throws: `invalidRequest` for values that our script never sends.
    func folders() throws(ServiceError) -> Set<LibraryPath> {
        var folders: Set<LibraryPath> = []
        for album in albums {
            guard album.hasPrefix("Albums/"), let folder = LibraryPath("\(UploadSource.takeout.folder)/\(album)") else {
                throw .invalidRequest("invalid folder of an album")
            }
            folders.insert(folder)
        }
        return folders
    }
}

/// The upload plan for a photo.
struct PlannedPhoto: Encodable {
    struct Request: Encodable {
        let url: String
        let headers: [String: String]

        init(_ upload: ReservedUpload) {
            url = upload.url
            // A browser sets the length of a body itself.
            headers = upload.headers.filter { $0.key != "content-length" }
        }
    }

    static let unnamed = PlannedPhoto(state: "name")

    /// `send`, `there`, `foreign`, `large`, `full` or `name`.
    let state: String
    var photo: Request?
    var thumbnail: Request?
    var preview: Request?

    private init(state: String) { self.state = state }

    init(_ plan: PlannedUpload) {
        switch plan {
        case .upload(let photo, let thumbnail, let preview):
            state = "send"
            self.photo = photo.map(Request.init)
            self.thumbnail = thumbnail.map(Request.init)
            self.preview = preview.map(Request.init)
        case .alreadyInLibrary: state = "there"
        case .notMedia: state = "foreign"
        case .tooLarge: state = "large"
        case .quotaExceeded: state = "full"
        }
    }
}
