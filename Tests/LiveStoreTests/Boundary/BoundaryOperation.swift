import HTTPTypes
import S3Protocol
import Testing

/// The operations that are attempted on a path.
enum BoundaryOperation: CaseIterable {
    case get
    case head
    case put
    case delete
    case beginUpload
    case copyFrom
    case copyTo
    case copyPartFrom

    /// Returns the status of the response. Copies use the user's own `photos/{own}/source` as their source, or a
    /// neighbor of it as their destination.
    func status(on path: String, in fixture: BoundaryFixture) async throws -> Int {
        let copySource = "x-amz-copy-source"
        let own = "/\(fixture.engine.raw.bucket)/photos/{own}/source"
        let foreign = "/\(fixture.engine.raw.bucket)/\(path)"
        switch self {
        case .get: return try await fixture.send(.get, path).status
        case .head: return try await fixture.send(.head, path).status
        case .put: return try await fixture.send(.put, path, body: "changed").status
        case .delete: return try await fixture.send(.delete, path).status
        case .beginUpload: return try await fixture.send(.post, path, query: "uploads=").status
        case .copyFrom: return try await fixture.send(.put, "photos/{own}/copy", headers: [copySource: foreign]).status
        case .copyTo: return try await fixture.send(.put, path, headers: [copySource: own]).status
        case .copyPartFrom:
            let upload = try await fixture.beginUpload("photos/{own}/parts")
            return try await fixture.send(
                .put, "photos/{own}/parts", query: "partNumber=1&uploadId=\(upload)", headers: [copySource: foreign]
            ).status
        }
    }
}

extension BoundaryFixture {
    /// Starts a multipart upload and returns its ID, percent-encoded.
    func beginUpload(_ path: String) async throws -> String {
        let response = try await send(.post, path, query: "uploads=")
        let id = response.text.split(separator: "<UploadId>").last?.split(separator: "<").first
        return AWSPercentEncoding.encode(String(try #require(id)))
    }
}
