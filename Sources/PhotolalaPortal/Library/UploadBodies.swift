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

        struct Camera: Decodable {
            let make: String?
            let model: String?

            /// - Returns: The name, or `nil` for fields that make none.
            func name() throws(ServiceError) -> CameraName? {
                let fields = [make, model].compactMap { $0 }
                guard !fields.isEmpty, fields.allSatisfy({ !$0.isEmpty && $0.utf16.count <= 100 }) else {
                    throw .invalidRequest("invalid camera of an uploaded photo")
                }
                return CameraName(make: make, model: model)
            }
        }

        let path: String
        let source: UploadSource?
        let md5: String
        /// The file's modification date, in milliseconds since 1970.
        let modified: Int64
        /// What the source says about a photo whose file has no date or location. The date is in RFC 3339.
        let taken: String?
        let location: Location?
        /// The average color of the thumbnail that was sent, six lower-case hex digits.
        let color: String?
        /// The fields of the file's metadata, at most 100 UTF-16 code units each.
        let camera: Camera?
        /// The duration of a video in milliseconds.
        let duration: UInt32?
        /// Whether it is a favorite in the source.
        let favorite: Bool?
        /// Whether the source's main timeline does not show it.
        let hidden: Bool?

        /// - Throws: `invalidRequest` for values that our script never sends.
        func arrival(in folder: String) throws(ServiceError) -> UploadedPhoto {
            guard let path = LibraryPath("\(source?.folder ?? folder)/\(path)"), let md5 = ContentDigest(md5)
            else {
                throw .invalidRequest("invalid path or MD5 of an uploaded photo")
            }
            let average = color.flatMap { PictureColor($0) }
            guard color == nil || average != nil else {
                throw .invalidRequest("invalid color of an uploaded photo")
            }
            let length = duration.flatMap { MediaDuration(milliseconds: $0) }
            guard duration == nil || length != nil else {
                throw .invalidRequest("invalid duration of an uploaded photo")
            }
            let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1000)
            return UploadedPhoto(
                path: path, md5: md5,
                modified: Timestamp(
                    seconds: rest < 0 ? seconds - 1 : seconds, nanoseconds: (rest + (rest < 0 ? 1000 : 0)) * 1_000_000),
                taken: taken.flatMap { CaptureDate($0) },
                location: location.flatMap { GeoLocation(latitude: $0.latitude, longitude: $0.longitude) },
                color: average, duration: length, camera: try camera?.name())
        }
    }

    let formToken: String
    let photos: [Photo]
    var count: Int { photos.count }
}

/// A photo whose upload in parts starts.
struct StartedUpload: UploadRequestBody {
    let formToken: String
    let photo: OfferedPhotos.Photo
    var count: Int { 1 }
}

/// Parts of a photo to sign.
struct OfferedParts: UploadRequestBody {
    struct Part: Decodable {
        let number: Int
        let md5: String
        let size: Int64
    }

    let formToken: String
    let md5: String
    let size: Int64
    /// The store's id of the upload.
    let upload: String
    let parts: [Part]
    /// Also without parts, the requests that end the upload are signed.
    var count: Int { max(1, parts.count) }

    /// - Throws: `invalidRequest` for values that our script never sends.
    func uploadInParts() throws(ServiceError) -> UploadInParts {
        guard let photo = ContentDigest(md5) else { throw .invalidRequest("invalid MD5 of a photo") }
        var offered: [UploadInParts.Part] = []
        for part in parts {
            guard let md5 = ContentDigest(part.md5) else { throw .invalidRequest("invalid MD5 of a part") }
            offered.append(UploadInParts.Part(number: part.number, md5: md5, size: part.size))
        }
        return try UploadInParts(md5: photo, size: size, upload: upload, parts: offered)
    }
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

/// A signed request that a browser sends.
struct SignedRequest: Encodable {
    let url: String
    let headers: [String: String]

    init(_ upload: ReservedUpload) {
        url = upload.url
        // A browser sets the length of a body itself.
        headers = upload.headers.filter { $0.key != "content-length" }
    }
}

/// The signed requests of an upload in parts.
struct SignedPartRequests: Encodable {
    let parts: [SignedRequest]
    let completion: SignedRequest
    let abortion: SignedRequest

    init(_ signed: SignedParts) {
        parts = signed.parts.map(SignedRequest.init)
        (completion, abortion) = (SignedRequest(signed.completion), SignedRequest(signed.abortion))
    }
}

/// The upload plan for a photo.
struct PlannedPhoto: Encodable {
    static let unnamed = PlannedPhoto(state: "name")

    /// `send`, `there`, `foreign`, `large`, `full` or `name`.
    let state: String
    /// Whether a file that is to be sent is a video; `nil` if it is not.
    var isVideo: Bool?
    var photo: SignedRequest?
    var thumbnail: SignedRequest?
    var preview: SignedRequest?

    private init(state: String) { self.state = state }

    init(_ plan: PlannedUpload, of offer: OfferedPhoto) {
        switch plan {
        case .upload(let photo, let thumbnail, let preview):
            state = "send"
            isVideo = MediaType.sniffed(offer.head, name: offer.path.name)?.isVideo == true ? true : nil
            self.photo = photo.map(SignedRequest.init)
            self.thumbnail = thumbnail.map(SignedRequest.init)
            self.preview = preview.map(SignedRequest.init)
        case .alreadyInLibrary: state = "there"
        case .notMedia: state = "foreign"
        case .tooLarge: state = "large"
        case .quotaExceeded: state = "full"
        }
    }
}
