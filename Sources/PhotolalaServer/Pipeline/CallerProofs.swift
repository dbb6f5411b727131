import Flows
import HTTPTypes
import Hummingbird
import PhotolalaAPI
import Sessions

/// What a request brings to show who is asking.
struct CallerProofs: Sendable {
    /// Under which clients call this server, whatever the request says of it.
    let publicURL: String

    /// The proof of the device's key, `nil` for none.
    /// - Throws: `invalidProof` for several (RFC 9449 section 4.3).
    func proof(_ request: Request) throws(FlowError) -> PresentedProof? {
        guard let name = HTTPField.Name(DPoP.proofField) else { return nil }
        let fields = request.headers[values: name]
        guard let text = fields.first else { return nil }
        guard fields.count == 1 else { throw .invalidProof("one DPoP header field is sent") }
        return PresentedProof(
            text: text, method: request.method.rawValue, uri: publicURL + request.uri.path
        )
    }

    /// The access token, with the proof that belongs to it.
    /// - Throws: `unauthorized`; `invalidProof` for a scheme without its proof, and for a bearer token with one.
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
