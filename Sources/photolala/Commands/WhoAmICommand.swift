import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct WhoAmICommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show your account and its sign-in methods."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> WhoAmIResult {
        WhoAmIResult(
            user: try await context.session.user(), usage: try await context.session.usage(),
            server: context.session.server.description,
            device: try await context.session.device()
        )
    }
}

/// The account as its owner sees it from this device.
struct WhoAmIResult: CommandResult {
    let user: User
    let usage: Usage
    let server: String
    let device: DeviceDescription

    var text: String {
        let name = user.displayName.map { Terminal.sanitized($0) + ", " } ?? ""
        let limit = ByteText.text(user.subscription.storageLimit)
        let used =
            switch (user.storageUsed, user.storageCountedAt) {
            case (let used?, let date?): "\(ByteText.text(used)) of \(limit) used as of \(DateText.minute(date))"
            case (let used?, nil): "\(ByteText.text(used)) of \(limit) used"
            case (nil, _): "usage not available yet, limit \(limit)"
            }
        let lines = [
            "\(name)account \(user.serviceUserID), created \(DateText.day(user.createdAt))",
            "Signed in to \(server) on “\(Terminal.sanitized(device.name))”",
            "Plan: \(user.subscription.tier.rawValue); storage: \(used)",
        ]
        let deletion = user.deletion.map { [DeletionStrings.notice($0)] } ?? []
        let kinds = usage.byKind.map(StorageStrings.kinds).flatMap { $0.isEmpty ? nil : ["Stored: \($0)"] } ?? []
        let warning = StorageStrings.warning(usage.fullness, used: usage.storageUsed ?? 0, limit: usage.storageLimit)
        let renewal = SubscriptionStrings.line(user.subscription).map { [$0] } ?? []
        return
            (lines + deletion + kinds + [warning].compactMap { $0 } + renewal + ["Sign-in methods:"]
            + LinkedProviderLines.lines(user.linkedProviders) + LinkedProviderLines.notices(user.linkedProviders))
            .joined(separator: "\n")
    }
}
