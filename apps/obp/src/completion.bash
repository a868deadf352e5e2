# bash completion for obp

_obp() {
    local word words=() line
    # Bash makes three words of --option=value.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        [[ $word == = ]] || words+=("$word")
    done
    [[ $word == = ]] && words+=("")
    word=${words[${#words[@]} - 1]}
    COMPREPLY=()
    while IFS= read -r line; do
        line=${line%%$'\t'*}
        [[ $line == :* || $line != "$word"* ]] || COMPREPLY+=("$line")
    done < <(obp complete -- "${words[@]}" 2> /dev/null)
}

complete -o bashdefault -o default -F _obp obp
