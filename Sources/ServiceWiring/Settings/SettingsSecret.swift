import AWSServices
import Foundation
import Transport

/// The settings of a program on AWS Lambda: from its environment, and from a secret or a file.
package struct SettingsSecret {
    private let variables: [String: String]
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date

    /// - Parameter variables: The environment.
    package init(
        _ variables: [String: String], transport: any HTTPTransport, now: @escaping @Sendable () -> Date
    ) {
        (self.variables, self.transport, self.now) = (variables, transport, now)
    }

    /// Reads and validates all settings. Sends one request if the environment names a secret.
    /// - Throws: `SettingsProblems`, or `StartProblem` for a secret that cannot be read.
    package func read() async throws -> Settings {
        let (path, secret) = (value(SettingsVariables.file), value(SettingsVariables.secret))
        let file: SettingsFile?
        switch (path, secret) {
        case (nil, nil): file = nil
        case (let path?, nil): file = try SettingsFile(path: path)
        case (nil, let secret?): file = try SettingsFile(secret: try await text(of: secret))
        case (_?, _?):
            throw SettingsProblems(
                problems: ["\(SettingsVariables.file), \(SettingsVariables.secret): set only one of them"])
        }
        return try Settings.read(
            SettingsReader(flags: [:], environment: variables, file: file, readsSecret: true))
    }

    private func value(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func text(of secret: String) async throws -> String {
        let region = SecretReader.region(of: secret) ?? ""
        do {
            let credentials = try CredentialChain(
                keys: nil, environment: variables.filter { $0.key.hasPrefix("AWS_") && !$0.value.isEmpty },
                region: region, tokenService: ServiceEndpoint.aws("sts", region: region), transport: transport,
                now: now)
            // The variable with which AWS's own programs are directed to another endpoint.
            let reader = try SecretReader(
                secret: secret, endpoint: value("AWS_ENDPOINT_URL_SECRETS_MANAGER"), credentials: credentials,
                transport: transport, now: now)
            return try await reader.text()
        } catch let failure as SecretReader.Failure {
            throw StartProblem("\(SettingsVariables.secret): \(Self.text(failure))")
        } catch {
            throw StartProblem("\(SettingsVariables.secret): no credentials to read it with: \(error)")
        }
    }

    private static func text(_ failure: SecretReader.Failure) -> String {
        switch failure {
        case .invalidARN: "must be the ARN of a secret in AWS Secrets Manager"
        case .denied(let reason):
            "Secrets Manager refused it (\(reason)). Allow the function's role secretsmanager:GetSecretValue on it"
        case .missing: "the secret does not exist. Create it, or correct its ARN"
        case .notText: "the secret has no text. Store a JSON object as its string"
        case .unavailable(let reason): "Secrets Manager did not answer (\(reason))"
        }
    }
}
