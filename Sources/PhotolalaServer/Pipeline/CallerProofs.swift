import Flows
import HTTPTypes
import Hummingbird
import PhotolalaAPI
import Sessions

/// Extracts a request's access token and DPoP proof.
struct CallerProofs: Sendable {
    /// The URL under which clients reach this server. Proofs are checked against it and not against the request's host.
    let publicURL: String

    /// Returns the DPoP proof, or `nil` if the request has none.
    /// - Throws: `invalidProof` for more than one proof (RFC 9449 section 4.3).
    func proof(_ request: Request) throws(FlowError) -> PresentedProof? {
        guard let name = HTTPField.Name(DPoP.proofField) else { return nil }
        let fields = request.headers[values: name]
        guard let text = fields.first else { return nil }
        guard fields.count == 1 else { throw .invalidProof("one DPoP header field is sent") }
        return PresentedProof(
            text: text, method: request.method.rawValue, uri: publicURL + request.uri.path
        )
    }

    /// Returns the access token and its DPoP proof.
    /// - Throws: `unauthorized` without an access token; `invalidProof` for a DPoP token without a proof and for a
    ///   bearer token with one.
    func accessToken(_ request: Request) throws(FlowError) -> (token: String, proof: PresentedProof?) {
        guard let field = request.headers[.authorization].flatMap(AccessTokenField.init) else {
            throw .unauthorized("no access token")
        }
        let proof = try proof(request)
        switch field.type {
        case .bearer: guard proof == nil else { throw .invalidProof("a bearer token is sent without one") }
        case .dpop: guard proof != nil else { throw .invalidProof("none was sent") }
        }
        return (field.token, proof)
    }
}
