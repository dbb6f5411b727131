import PhotolalaAPI
import PhotolalaClient

/// The exit statuses, for scripts; `docs/command-line.md` lists them.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case someFilesFailed = 2
    case notSignedIn = 3
    case noAccountFound = 4
    case alreadyInUse = 5
    case reauthenticationRequired = 6
    case tryLater = 7
    case wrongUsage = 64
    case signInRejected = 65
    case interrupted = 130

    init(_ code: ErrorCode) {
        self =
            switch code {
            case .notSignedIn, .sessionEnded, .unauthorized, .localStateUnusable: .notSignedIn
            case .noAccountFound: .noAccountFound
            case .accountAlreadyExists, .providerAlreadyLinked, .alreadySignedIn, .anotherServer: .alreadyInUse
            case .reauthenticationRequired: .reauthenticationRequired
            case .serverUnreachable, .noResponse, .outcomeUnknown, .temporarilyUnavailable, .rateLimited, .syncUnderWay:
                .tryLater
            case .unusableAddress, .unusablePairingCode, .unknownProvider: .wrongUsage
            case .invalidToken, .challengeRequired, .invalidChallenge, .invalidPendingIdentity, .notAllowed,
                .accountDisabled:
                .signInRejected
            case .cancelled: .interrupted
            default: .failed
            }
    }
}
