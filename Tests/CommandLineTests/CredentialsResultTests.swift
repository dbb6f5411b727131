import Foundation
import PhotolalaAPI
import Testing

@testable import photolala

@Suite("Credentials for other tools") struct CredentialsResultTests {
    private static let credentials = StorageCredentials(
        accessKeyID: "AK", secretAccessKey: "se'cret", sessionToken: "to/ken+=",
        expiration: Date(timeIntervalSince1970: 1_800_000_000), endpoint: "http://127.0.0.1:9000",
        region: "us-east-1", bucket: "photolala-dev", prefixes: ["photos/u/", "users/u/"], access: .readWrite
    )

    @Test("the process format is the JSON of credential_process on one line")
    func process() {
        #expect(
            CredentialsResult(credentials: Self.credentials, format: .process).text
                == #"{"AccessKeyId":"AK","Expiration":"2027-01-15T08:00:00Z","SecretAccessKey":"se'cret","#
                + #""SessionToken":"to/ken+=","Version":1}"#
        )
    }

    @Test("the env format quotes values so that a shell reads them unchanged")
    func env() {
        let lines = CredentialsResult(credentials: Self.credentials, format: .env).text.split(separator: "\n")
        #expect(lines.first == "export AWS_ACCESS_KEY_ID='AK'")
        #expect(lines.contains("export AWS_SECRET_ACCESS_KEY='se'\\''cret'"))
        #expect(lines.contains("export AWS_SESSION_TOKEN='to/ken+='"))
        #expect(lines.contains("export AWS_ENDPOINT_URL_S3='http://127.0.0.1:9000'"))
    }
}
