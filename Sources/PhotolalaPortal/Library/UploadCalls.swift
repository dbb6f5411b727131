import Flows
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PhotoLibrary
import PhotolalaAPI

/// What the upload's script asks: where to send photos, and that they be put into the library. Their bytes go straight to
/// the store.
struct UploadCalls: Sendable {
    /// Bytes of a call: 24 photos with their first 4,096 bytes and their names.
    private static let bodyLimit = 1 << 20
    private static let photoLimit = 24
    /// Where in the library photos come that a browser brings.
    private static let folder = "Uploads"

    let desk: Desk

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.post("/library/uploads") { request, _ in
            let (asked, page) = try await read(OfferedPhotos.self, request)
            let offers = try asked.photos.map { try $0.offer(in: Self.folder) }
            let plans = try await desk.services.planUploads(offers, caller: page.caller)
            return try Response(json: ["photos": plans.map(PlannedPhoto.init)])
        }
        router.post("/library/uploads/finish") { request, _ in
            let (asked, page) = try await read(SentPhotos.self, request)
            let photos = try asked.photos.map { try $0.arrival(in: Self.folder) }
            let outcomes = try await desk.services.finishUploads(photos, caller: page.caller)
            return try Response(json: ["photos": outcomes.map(\.word)])
        }
    }

    private func read<Asked: UploadCall>(
        _ type: Asked.Type, _ request: Request
    ) async throws -> (Asked, AccountPage) {
        guard request.headers[.contentType] == "application/json" else { throw HTTPError(.unsupportedMediaType) }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.bodyLimit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        } catch {
            throw HTTPError(.badRequest)
        }
        guard let asked = try? JSONDecoder().decode(type, from: Data(body.readableBytesView)),
            (1...Self.photoLimit).contains(asked.count)
        else { throw FlowError.invalidRequest("the call is not well-formed") }
        // The check comes after the body: a session that ends while a body trickles in must not act.
        let page = try await AccountPage(request, desk)
        try desk.services.check(formToken: asked.formToken, page.browser, page.caller)
        return (asked, page)
    }
}

extension PhotoArrivals.Outcome {
    fileprivate var word: String {
        switch self {
        case .added: "added"
        case .missing: "missing"
        case .foreign: "foreign"
        }
    }
}
