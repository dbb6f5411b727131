import Foundation
import Testing
import Webhooks

/// Tests the secret format and the signature of the Standard Webhooks specification.
@Suite struct WebhookSecretTests {
    private static func text(_ bytes: Int) -> String {
        "whsec_\(Data(repeating: 7, count: bytes).base64EncodedString())"
    }

    @Test("the signature equals that of the specification's own libraries")
    func vector() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = secret.signature(
            of: "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, Data(#"{"test": 2432232314}"#.utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("a secret has 24 to 64 bytes", arguments: [(23, false), (24, true), (64, true), (65, false)])
    func size(bytes: Int, isGood: Bool) {
        #expect((WebhookSecret(Self.text(bytes)) != nil) == isGood)
    }

    @Test(
        "a malformed secret is refused",
        arguments: ["", "whsec_", "whsec_%%%", String(text(32).dropFirst(6)), "WHSEC_\(text(32).dropFirst(6))"])
    func form(text: String) {
        #expect(WebhookSecret(text) == nil)
    }
}
