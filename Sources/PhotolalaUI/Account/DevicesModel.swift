import Foundation
import Observation
import PhotolalaClient

/// What a person does on the screen of devices. Confirm each of them first.
public enum DevicesAction: Sendable, Equatable {
    /// Signs another device out.
    case remove(DeviceID)
    /// Signs this device out.
    case signOut
    /// Signs all devices out, including this one.
    case signOutEverywhere
}

/// The signed-in devices: shows them and signs them out.
@MainActor @Observable
public final class DevicesModel {
    /// The result of the last removal.
    public struct Removal: Sendable, Equatable {
        /// The removed device.
        public let device: DeviceID
        /// Until when it may still reach the photo store; `nil` if it no longer can.
        public let storageAccessUntil: Date?
    }

    /// The state machine of the screen.
    public let flow: ScreenFlow<DevicesAction>
    /// The devices, most recently seen first.
    public private(set) var devices: [Device] = []
    /// The last removal; `nil` after the next action begins.
    public private(set) var removal: Removal?
    /// Why the server does not know that this device signed out; the session then remains listed there until it expires.
    public private(set) var unconfirmedSignOut: ScreenFailure?

    @ObservationIgnored private var storageAccessAfterRemoval: Int?

    /// Creates the model. The screen calls `flow.load()`.
    public init(_ context: ScreenContext) {
        flow = ScreenFlow(context)
        flow.connect(
            fetch: { [weak self] in try await self?.fetch() },
            perform: { [weak self] in try await self?.perform($0) ?? .ready })
    }

    /// How long a signed-out device may still reach the photo store, in seconds; `nil` if it no longer can.
    public var secondsAfterRemoval: Int? { storageAccessAfterRemoval.flatMap { $0 > 0 ? $0 : nil } }

    private func fetch() async throws {
        let list = try await flow.context.account.deviceList()
        (devices, storageAccessAfterRemoval, unconfirmedSignOut) = (
            list.devices, list.storageAccessAfterRemoval, nil
        )
    }

    private func perform(_ action: DevicesAction) async throws -> ScreenOutcome {
        removal = nil
        switch action {
        case .remove(let device):
            try await flow.context.account.removeDevice(device)
            devices.removeAll { $0.id == device }
            let seconds = storageAccessAfterRemoval ?? 0
            removal = Removal(
                device: device,
                storageAccessUntil: seconds > 0 ? flow.context.now().addingTimeInterval(Double(seconds)) : nil)
            return .ready
        case .signOut:
            do throws(PhotolalaError) {
                try await flow.context.account.signOut()
            } catch {
                // All other errors come after the device has removed its session.
                if [.anotherServer, .localStorageFailed, .notSignedIn].contains(error.code) { throw error }
                unconfirmedSignOut = ScreenFailure(error)
            }
            return .signedOut
        case .signOutEverywhere:
            try await flow.context.account.signOutEverywhere()
            return .signedOut
        }
    }
}
