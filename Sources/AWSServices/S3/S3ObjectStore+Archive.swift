import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import S3Protocol
import Transport

/// Restoration from S3 Glacier, and from the archive tiers of S3 Intelligent-Tiering.
extension S3ObjectStore: ArchiveRetrieval {
    package func archiveState(_ key: ObjectKey) async throws(ObjectStoreError) -> ArchiveState? {
        guard let headers = try await headers(of: key) else { return nil }
        guard let kind = S3Archive.kind(headers) else { return .readable }
        return switch S3Archive.retrieval(headers, at: time(of: headers)) {
        case .done: .readable
        case .inProgress: .restoring(kind)
        case .none: .archived(kind)
        }
    }

    package func restoreFromArchive(
        _ key: ObjectKey, _ order: RetrievalRequest
    ) async throws(ObjectStoreError) -> RetrievalOutcome? {
        guard let headers = try await headers(of: key) else { return nil }
        switch S3Archive.retrieval(headers, at: time(of: headers)) {
        case .inProgress: return .inProgress
        case .done: return .available
        case .none: break
        }
        guard let kind = S3Archive.kind(ofArchived: headers) else { return .available }
        guard let longest = kind.maximumDuration(order.tier) else { return .tierUnavailable }
        let body = ByteBuffer(string: S3Archive.requestBody(order, from: kind))
        return try await requestRestore(for: key, body, within: longest)
    }

    /// Returns the time of the service's clock.
    private func time(of headers: HTTPFields) -> Date { headers[.date].flatMap(S3Date.http) ?? exchange.now() }

    private func requestRestore(
        for key: ObjectKey, _ document: ByteBuffer, within longest: Duration
    ) async throws(ObjectStoreError) -> RetrievalOutcome? {
        var request = S3Request(.restoreObject, key: key, body: .bytes(document))
        request.query = [("restore", "")]
        switch try await exchange.perform(request, expecting: [403, 404, 409, 503], collecting: 64 * 1024) {
        case .response(let response, _):
            // 200 is returned if a restored copy exists already.
            return response.status == 202 ? .started(within: longest) : .available
        case .failure(let failure, _):
            switch (failure.status, failure.code) {
            case (409, "RestoreAlreadyInProgress"): return .inProgress
            case (503, _): return .tierUnavailable
            case (403, "ObjectAlreadyInActiveTierError"), (403, "InvalidObjectState"): return .available
            default: return try await confirmAbsence(failure, key)
            }
        }
    }
}
