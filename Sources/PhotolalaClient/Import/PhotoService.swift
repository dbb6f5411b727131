import ForeignExports

/// A photo service whose exports can be imported.
public enum PhotoService: Sendable, CaseIterable {
    /// Google Photos, with the exports of Google Takeout.
    case googlePhotos
    /// iCloud Photos, with the copies that privacy.apple.com makes.
    case iCloud
    /// Ente, with the exports of its desktop app and of `ente export`.
    case ente

    /// The name of the service, and the folder of the library for its photos unless another one is chosen.
    public var name: String {
        switch self {
        case .googlePhotos: "Google Photos"
        case .iCloud: "iCloud Photos"
        case .ente: "Ente"
        }
    }

    /// The name of an export.
    public var exportName: String {
        switch self {
        case .googlePhotos: "Google Takeout"
        case .iCloud: "iCloud Photos"
        case .ente: "Ente"
        }
    }

    /// The subcommand of `photolala import` for its exports.
    package var subcommand: String {
        switch self {
        case .googlePhotos: "takeout"
        case .iCloud: "icloud"
        case .ente: "ente-export"
        }
    }

    var reader: ForeignService {
        switch self {
        case .googlePhotos: .googlePhotos
        case .iCloud: .iCloud
        case .ente: .ente
        }
    }

    init(_ reader: ForeignService) {
        switch reader {
        case .googlePhotos: self = .googlePhotos
        case .iCloud: self = .iCloud
        case .ente: self = .ente
        }
    }
}

/// The choices of an import from another photo service.
public struct ServiceImportOptions: Sendable, Equatable {
    /// The folder of the library for the photos; `nil` for the service's ``PhotoService/name``.
    public var destination: String?
    /// Whether photos that are in the trash of the service are imported, as photos that are not.
    public var includesTrashed: Bool
    /// Whether the import is only predicted: nothing is changed, neither on this device nor in the library.
    public var isDryRun: Bool

    /// Creates the choices.
    /// - Parameters:
    ///   - destination: The folder of the library for the photos; `nil` for the service's own.
    ///   - includesTrashed: Whether photos that are in the trash of the service are imported.
    ///   - isDryRun: Whether the import is only predicted.
    public init(destination: String? = nil, includesTrashed: Bool = false, isDryRun: Bool = false) {
        (self.destination, self.includesTrashed, self.isDryRun) = (destination, includesTrashed, isDryRun)
    }
}
