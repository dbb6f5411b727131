import ArgumentParser

/// The option to select favorites.
struct FavoriteOption: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Only favorites, or only photos that are not favorites.")
    var favorites: Bool?
}
