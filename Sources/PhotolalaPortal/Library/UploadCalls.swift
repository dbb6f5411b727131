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
    private static let photoLimit = 24
    /// Bytes that a photo takes in a call, with its first 4,096 bytes and its path, but for very long ones.
    private static let photoBytes = 10_000
    /// Where in the library photos come that a browser brings.
    private static let folder = "Uploads"

    let desk: Desk
    /// Of a call's body, in bytes.
    let bodyLimit: Int

    /// So many photos may come in one call.
    var batchLength: Int { min(12, max(1, bodyLimit / Self.photoBytes)) }

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.post("/library/uploads") { request, _ in
            let (asked, page) = try await read(OfferedPhotos.self, request)
            let offers = try asked.photos.map { try $0.offer(in: Self.folder) }
            let named = offers.compactMap { $0 }
            var plans = try await desk.services.planUploads(named, caller: page.caller)[...]
            let planned = offers.map { offer in offer == nil ? nil : plans.popFirst() }
            return try Response(json: ["photos": planned.map { $0.map(PlannedPhoto.init) ?? .unnamed }])
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
        try desk.services.checkSignature(ofBrowserCookie: Visit(request, catalog: desk.catalog).cookies[.session])
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: bodyLimit)
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
