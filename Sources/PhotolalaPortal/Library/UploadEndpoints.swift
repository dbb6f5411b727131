import Foundation
import HTTPTypes
import Hummingbird
import JSONCoding
import NIOCore
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The upload script's calls: get signed uploads for photos and for parts of long ones, add uploaded photos to the
/// library, and fill albums. The photos go directly to the store.
struct UploadEndpoints: Sendable {
    private static let photoLimit = 24
    /// The size of a photo's entry in a call, in bytes: its first 4,096 bytes and its path, except for very long paths.
    private static let photoBytes = 10_000
    /// The library folder for uploads from a browser.
    private static let folder = "Uploads"

    let context: PageContext
    /// The largest body of a call, in bytes.
    let bodyLimit: Int

    /// The maximum number of photos in a call.
    var batchLength: Int { min(12, max(1, bodyLimit / Self.photoBytes)) }

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.post("/library/uploads") { request, _ in
            let (body, page) = try await decode(OfferedPhotos.self, request)
            let offers = try body.photos.map { try $0.offer(in: Self.folder) }
            let named = offers.compactMap { $0 }
            var plans = try await context.services.libraryUploads.planUploads(named, caller: page.caller)[...]
            let planned = offers.map { offer in
                offer.flatMap { offer in plans.popFirst().map { PlannedPhoto($0, of: offer) } } ?? .unnamed
            }
            return try Response(json: ["photos": planned])
        }
        router.post("/library/uploads/start") { request, _ in
            let (body, page) = try await decode(StartedUpload.self, request)
            guard let offer = try body.photo.offer(in: Self.folder),
                let start = try await context.services.libraryUploads.startUploadInParts(offer, caller: page.caller)
            else { throw ServiceError.invalidRequest("invalid photo") }
            return try Response(json: SignedRequest(start))
        }
        router.post("/library/uploads/parts") { request, _ in
            let (body, page) = try await decode(OfferedParts.self, request)
            let signed = try await context.services.libraryUploads.signParts(
                of: try body.uploadInParts(), caller: page.caller)
            return try Response(json: SignedPartRequests(signed))
        }
        router.post("/library/uploads/finish") { request, _ in
            let (body, page) = try await decode(SentPhotos.self, request)
            let photos = try body.photos.map { try $0.arrival(in: Self.folder) }
            let outcomes = try await context.services.libraryUploads.finishUploads(photos, caller: page.caller)
            let added = photos.indices.filter { outcomes[$0] == .added }
            let favorites = Set(added.filter { body.photos[$0].favorite == true }.map { photos[$0].md5 })
            let hidden = Set(added.filter { body.photos[$0].hidden == true }.map { photos[$0].md5 })
            if !favorites.isEmpty {
                _ = try await context.services.library.setFavorite(true, of: favorites, caller: page.caller)
            }
            if !hidden.isEmpty {
                _ = try await context.services.library.setHidden(true, of: hidden, caller: page.caller)
            }
            return try Response(json: ["photos": outcomes.map(\.stateName)])
        }
        router.post("/library/uploads/albums") { request, _ in
            let (body, page) = try await decode(FilledAlbums.self, request)
            try await context.services.library.fillAlbums(from: try body.folders(), caller: page.caller)
            return try Response(json: ["albums": body.albums])
        }
    }

    private func decode<Asked: UploadRequestBody>(
        _ type: Asked.Type, _ request: Request
    ) async throws -> (Asked, AccountPage) {
        guard request.headers[.contentType] == "application/json" else { throw HTTPError(.unsupportedMediaType) }
        try context.services.authenticator.checkSignature(
            ofBrowserCookie: BrowserRequest(request, catalog: context.catalog).cookies[.session])
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: bodyLimit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        } catch {
            throw HTTPError(.badRequest)
        }
        guard let body = try? CompactJSON.decode(type, from: Array(body.readableBytesView)),
            (1...Self.photoLimit).contains(body.count)
        else { throw ServiceError.invalidRequest("malformed upload request") }
        // Authentication follows the body: a session that ends while a slow body arrives must not act.
        let page = try await AccountPage(request, context)
        try context.services.formTokens.check(body.formToken, page.browser, page.caller)
        return (body, page)
    }
}

extension UploadRegistration.Outcome {
    fileprivate var stateName: String {
        switch self {
        case .added: "added"
        // What a person uploads in a browser is restored.
        case .missing, .inTrash, .deleted: "missing"
        case .notMedia: "foreign"
        }
    }
}
