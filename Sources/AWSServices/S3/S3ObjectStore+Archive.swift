import NIOCore
import ObjectStorage
import SigV4
import Transport

/// Restoration from S3 Glacier, and from the archive tiers of S3 Intelligent-Tiering.
extension S3ObjectStore: ArchiveRetrieval {
    package func askBack(
        _ key: ObjectKey, _ order: RetrievalOrder
    ) async throws(ObjectStoreError) -> RetrievalAnswer? {
        guard let headers = try await headers(of: key) else { return nil }
        let now = headers[.date].flatMap(S3Date.http) ?? exchange.now()
        switch S3Archive.retrieval(headers, at: now) {
        case .underWay: return .onItsWay
        case .done: return .readable
        case .none: break
        }
        guard let archive = S3Archive(headers) else { return .readable }
        guard let longest = archive.longest(order.speed) else { return .tooFast }
        return try await ask(for: key, ByteBuffer(string: archive.document(order)), within: longest)
    }

    private func ask(
        for key: ObjectKey, _ document: ByteBuffer, within longest: Duration
    ) async throws(ObjectStoreError) -> RetrievalAnswer? {
        var request = S3Request(.restoreObject, key: key, body: .bytes(document))
        request.query = [("restore", "")]
        switch try await exchange.perform(request, expecting: [403, 404, 409, 503], collecting: 64 * 1024) {
        case .response(let response, _):
            // 200 is returned if a restored copy exists already.
            return response.status == 202 ? .asked(within: longest) : .readable
        case .failure(let failure, _):
            switch (failure.status, failure.code) {
            case (409, "RestoreAlreadyInProgress"): return .onItsWay
            case (503, _): return .tooFast
            case (403, "ObjectAlreadyInActiveTierError"), (403, "InvalidObjectState"): return .readable
            default: return try await absent(failure, key)
            }
        }
    }
}
