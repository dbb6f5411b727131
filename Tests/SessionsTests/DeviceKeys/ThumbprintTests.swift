import Foundation
import JWS
import PhotolalaTesting
import Secrets
import Testing

/// Keys and their thumbprints, compared with published values.
@Suite struct ThumbprintTests {
    /// The DPoP proof in RFC 9449 section 4.1.
    private static let proof =
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs"
        + "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2"
        + "In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2Vu"
        + "IiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZ"
        + "T3Lg"

    @Test("the DPoP proof in RFC 9449 is signed by its key, whose thumbprint is the one in section 6.1")
    func publishedProof() throws {
        let jws = try CompactJWS(Self.proof)
        #expect(jws.header.type == "dpop+jwt" && jws.header.algorithm == "ES256")
        let key = try #require(jws.header.embeddedKey.flatMap(P256JSONWebKey.init))
        #expect(key.isSigner(of: jws))
        #expect(key.thumbprint.description == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test("a thumbprint is decoded from its text, and other text is rejected")
    func text() throws {
        let text = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
        let read = try JSONDecoder().decode([KeyThumbprint].self, from: Data("[\"\(text)\"]".utf8))
        #expect(read.map(\.description) == [text])
        for other in ["", "0ZcO", text + "A", String(text.dropLast()) + "="] {
            let error = #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([KeyThumbprint].self, from: Data("[\"\(other)\"]".utf8))
            }
            guard case .dataCorrupted = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
