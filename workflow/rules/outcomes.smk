rule outcomes:
    input:
        inputs("outcomes"),
    output:
        "results/{scale}/outcomes/{experiment}/{algorithm}/{block}.h5",
    log:
        "results/{scale}/logs/outcomes/{experiment}/{algorithm}/{block}.log",
    benchmark:
        "results/{scale}/benchmarks/outcomes/{experiment}/{algorithm}/{block}.tsv"
    conda:
        "../../envs/nonconvex.yaml"
    threads: 1
    resources:
        mem_mb=memory("outcomes"),
        runtime=minutes("outcomes"),
    params:
        plan=plan("outcomes"),
        code=code("outcomes"),
    message:
        "Running {wildcards.algorithm} on trials {wildcards.block} of {wildcards.experiment}"
    shell:
        "python -m nonconvex outcomes --plan {params.plan:q} --digest {params.code} "
        "--input {input} --output {output} > {log} 2>&1"
