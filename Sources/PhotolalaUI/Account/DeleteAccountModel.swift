import Observation
import PhotolalaClient

/// What a person does on the screen that deletes the account.
public enum DeleteAccountAction: Sendable, Equatable {
    /// Schedules the deletion. Only ``DeleteAccountModel/delete()`` starts it.
    case delete
    /// Cancels the scheduled deletion.
    case cancelDeletion
    /// Removes what this device has stored for the account, after the person has saved the codes.
    case removeLocalData
}

/// The deletion of the account: shows what is deleted, asks for the confirmation, shows the codes once.
///
/// In state `finished`, the deletion is scheduled and ``scheduled`` contains the codes.
@MainActor @Observable
public final class DeleteAccountModel {
    /// The state machine of the screen.
    public let flow: ScreenFlow<DeleteAccountAction>
    /// What the person typed to confirm.
    public var typed = ""
    /// What a deletion removes, and whether one is scheduled already.
    public private(set) var overview: DeletionOverview?
    /// The deletion that this screen has scheduled, with its codes.
    public private(set) var scheduled: DeletionOverview?

    /// Creates the model. The screen calls `flow.load()`.
    public init(_ context: ScreenContext) {
        flow = ScreenFlow(context)
        flow.connect(
            fetch: { [weak self] in try await self?.fetch() },
            perform: { [weak self] in try await self?.perform($0) ?? .ready },
            // The server returns the codes once.
            isFinal: { $0 == .delete })
    }

    /// Schedules the deletion if the person has typed the confirmation; otherwise shows that nothing was deleted.
    public func delete() {
        if typed == DeletionRequest.confirmationText {
            flow.start(.delete)
        } else {
            flow.fail(.wrongConfirmation)
        }
    }

    private func fetch() async throws {
        overview = try await flow.context.account.deletionOverview()
        (scheduled, typed) = (nil, "")
    }

    private func perform(_ action: DeleteAccountAction) async throws -> ScreenOutcome {
        switch action {
        case .delete:
            scheduled = try await flow.context.account.deleteAccount(confirmation: typed)
            return .finished
        case .cancelDeletion:
            overview = try await flow.context.account.cancelDeletion()
            return .ready
        case .removeLocalData:
            try await flow.context.removal?()
            try await flow.context.account.removeLocalData()
            scheduled = nil
            return .signedOut
        }
    }
}
