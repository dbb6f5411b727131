import Foundation
import PhotolalaAPI

extension UserID {
    /// The owner of the library in tests.
    package static let bob = UserID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
}
