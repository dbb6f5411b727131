import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct CredentialsCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials", abstract: "Print S3 credentials for your photos, for use with other tools.",
        discussion: """
            Credentials expire after at most one hour. With --format process, aws, boto3 and rclone renew them \
            automatically, with the profile that `photolala aws-profile` writes.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, process, env
    }

    @Option(help: "text: human-readable. process: for credential_process. env: shell export lines.")
    var format = Format.text

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if common.json, format != .text { throw ValidationError("--json and --format cannot be used together.") }
    }

    func perform(_ context: CommandContext) async throws -> CredentialsResult {
        CredentialsResult(credentials: try await context.session.credentials(), format: format)
    }
}

/// Storage credentials in one of the formats that other tools read.
struct CredentialsResult: CommandResult {
    let credentials: StorageCredentials
    let format: CredentialsCommand.Format

    /// The output of the `credential_process` protocol, which defines these names.
    private struct ProcessOutput: Encodable {
        let Version = 1
        let AccessKeyId: String
        let SecretAccessKey: String
        let SessionToken: String
        let Expiration: Date
    }

    func encode(to encoder: any Encoder) throws { try credentials.encode(to: encoder) }

    var text: String {
        switch format {
        case .text: readable
        case .process: processOutput
        case .env: shellLines
        }
    }

    private var readable: String {
        """
        endpoint_url       \(credentials.endpoint)
        region             \(credentials.region)
        bucket             \(credentials.bucket)
        prefixes           \(credentials.prefixes.joined(separator: " "))
        access             \(credentials.access.rawValue)
        expires            \(DateText.minute(credentials.expiration))
        access key id      \(credentials.accessKeyID)
        secret access key  \(credentials.secretAccessKey)
        session token      \(credentials.sessionToken)
        """
    }

    private var processOutput: String {
        let output = ProcessOutput(
            AccessKeyId: credentials.accessKeyID, SecretAccessKey: credentials.secretAccessKey,
            SessionToken: credentials.sessionToken, Expiration: credentials.expiration
        )
        let encoder = WireJSON.encoder()
        encoder.outputFormatting.insert(.sortedKeys)
        return (try? encoder.encode(output)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private var shellLines: String {
        [
            ("AWS_ACCESS_KEY_ID", credentials.accessKeyID), ("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey),
            ("AWS_SESSION_TOKEN", credentials.sessionToken), ("AWS_REGION", credentials.region),
            ("AWS_ENDPOINT_URL_S3", credentials.endpoint), ("PHOTOLALA_BUCKET", credentials.bucket),
            ("PHOTOLALA_PREFIXES", credentials.prefixes.joined(separator: " ")),
        ].map { name, value in
            "export \(name)='\(value.replacingOccurrences(of: "'", with: "'\\''"))'"
        }.joined(separator: "\n")
    }
}
